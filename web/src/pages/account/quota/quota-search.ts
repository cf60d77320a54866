/** How the page of quota shows the last days. */
import { definedOnly, oneOf } from '../../../data/address.ts';

export interface QuotaSearch {
  /** By product by default. */
  readonly by?: 'user';
  readonly as?: 'table';
}

export function quotaSearch(raw: Readonly<Record<string, unknown>>): QuotaSearch {
  return definedOnly({ by: oneOf(raw['by'], ['user']), as: oneOf(raw['as'], ['table']) });
}
