/** The values of a domain that other domains share, as far as they help to decide about it. */
import { type SharedValue, valuesOf } from '../../../model/record/attributes.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import type { DomainStore } from '../../../store/domain-store.ts';

export interface CountedValue extends SharedValue {
  /** Of all that are known, this one included. */
  readonly domains: number;
  readonly averageRisk: number | undefined;
}

const attributes: ReadonlySet<string> = new Set([
  'registrar',
  'registrant_contact.email',
  'name_server.host',
  'mx.host',
  'ip.address',
  'ssl_info.hash',
  'soa_email',
  ...trackerMembers,
]);
const valuesMax = 20;

/** Those that fewest share first; values of this domain alone are left out. */
export async function listSharedValues(
  record: DomainRecord,
  { domains }: { readonly domains: Pick<DomainStore, 'countsOf' | 'averageRisksOf'> },
): Promise<readonly CountedValue[]> {
  const values = valuesOf(record)
    .filter(({ attribute }) => attributes.has(attribute))
    .slice(0, valuesMax);
  const [counts, risks] = await Promise.all([domains.countsOf(values), domains.averageRisksOf(values)]);
  return values
    .map((value, index) => ({ ...value, domains: counts[index] ?? 0, averageRisk: risks[index] }))
    .filter((value) => value.domains > 1)
    .sort((one, other) => one.domains - other.domains);
}
