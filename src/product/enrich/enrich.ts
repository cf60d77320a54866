/** The records of domains requested by name. Domains without a record are listed as the client wrote them. */
import { fieldProblem } from '../../model/problem.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import {
  findListFault,
  type RequestedDomain,
  requestedDomains,
} from '../../model/record/requested-domains.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface Enriched {
  /** In the requested order. */
  readonly records: readonly DomainRecord[];
  readonly missing: readonly string[];
}

/** In Unicode or punycode, in any letter case. */
export function getRequestedDomains(items: readonly string[], namesMax: number): readonly RequestedDomain[] {
  const fault = findListFault(items, namesMax);
  if (fault !== undefined) throw fieldProblem('invalid-parameters', 'domain', fault);
  return requestedDomains(items);
}

export async function enrich(
  requested: readonly RequestedDomain[],
  { domains }: { readonly domains: Pick<DomainStore, 'findRecords'> },
): Promise<Enriched> {
  const wanted = requested.flatMap(({ name }) => name ?? []);
  const found = await domains.findRecords(wanted);
  const byName = new Map(wanted.map((name, index) => [name, found[index]]));
  const records: DomainRecord[] = [];
  const missing: string[] = [];
  for (const { written, name } of requested) {
    const record = name === undefined ? undefined : byName.get(name);
    if (record) records.push(record);
    else missing.push(written);
  }
  return { records, missing };
}
