/** Everything that the page of a domain shows is in its address. */
import { definedOnly, oneOf, oneText } from '../../data/address.ts';

export const tabs = ['overview', 'record', 'history', 'pictures', 'dns', 'risk'] as const;
export type DomainTab = (typeof tabs)[number];

export interface DomainSearch {
  readonly tab?: Exclude<DomainTab, 'overview'>;
  /** The record as it was at this time. */
  readonly as_of?: string;
  /** Changes of this member of the record alone. */
  readonly field?: string;
  /** A capture, and what it is compared with: another capture, or a domain of one's own. */
  readonly capture?: string;
  readonly with?: string;
}

export function domainSearch(raw: Readonly<Record<string, unknown>>): DomainSearch {
  const tab = oneOf(raw['tab'], tabs);
  const asOf = oneText(raw['as_of']);
  return definedOnly({
    tab: tab === 'overview' ? undefined : tab,
    as_of: asOf !== undefined && !Number.isNaN(Date.parse(asOf)) ? asOf : undefined,
    field: oneText(raw['field']),
    capture: oneText(raw['capture']),
    with: oneText(raw['with']),
  });
}

export const tabOf = (search: DomainSearch): DomainTab => search.tab ?? 'overview';
