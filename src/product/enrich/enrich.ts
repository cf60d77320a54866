/** The records of domains requested by name. Domains without a record are listed as the client wrote them. */
import { fieldProblem } from '../../model/problem.ts';
import {
  findListFault,
  type RequestedDomain,
  requestedDomains,
} from '../../model/record/requested-domains.ts';

export interface Enriched<Found> {
  /** In the requested order. */
  readonly records: readonly Found[];
  readonly missing: readonly string[];
}

/** In Unicode or punycode, in any letter case. */
export function getRequestedDomains(items: readonly string[], namesMax: number): readonly RequestedDomain[] {
  const fault = findListFault(items, namesMax);
  if (fault !== undefined) throw fieldProblem('invalid-parameters', 'domain', fault);
  return requestedDomains(items);
}

/** `findRecords` answers as the store of domains does; its records may have any form. */
export async function enrich<Found>(
  requested: readonly RequestedDomain[],
  findRecords: (names: readonly string[]) => Promise<readonly (Found | undefined)[]>,
): Promise<Enriched<Found>> {
  const wanted = requested.flatMap(({ name }) => name ?? []);
  const found = await findRecords(wanted);
  const byName = new Map(wanted.map((name, index) => [name, found[index]]));
  const records: Found[] = [];
  const missing: string[] = [];
  for (const { written, name } of requested) {
    const record = name === undefined ? undefined : byName.get(name);
    if (record) records.push(record);
    else missing.push(written);
  }
  return { records, missing };
}
