/** The records of domains requested by name. Domains without a record are listed as the client wrote them. */
import { fieldProblem } from '../../model/problem.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { normaliseText } from '../../model/record/normalise-text.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface RequestedName {
  readonly written: string;
  /** In punycode; undefined for an invalid name, which has no record. */
  readonly name: string | undefined;
}

export interface Enriched {
  /** In the requested order. */
  readonly records: readonly DomainRecord[];
  readonly missing: readonly string[];
}

/** A comma-separated list in Unicode or punycode, in any letter case. Of several spellings of a name the first is kept. */
export function parseNames(list: string, namesMax: number): readonly RequestedName[] {
  const items = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (items.length === 0) throw fieldProblem('invalid-parameters', 'domain', 'must have at least one domain');
  if (items.length > namesMax) {
    throw fieldProblem('invalid-parameters', 'domain', `must not have more than ${namesMax} domains`);
  }
  const names = new Map<string, RequestedName>();
  for (const one of items) {
    const made = normaliseText('host', one);
    const name = 'text' in made ? made.text : undefined;
    const key = name ?? one;
    if (!names.has(key)) names.set(key, { written: one, name });
  }
  return [...names.values()];
}

export async function enrich(
  names: readonly RequestedName[],
  { domains }: { readonly domains: Pick<DomainStore, 'findRecords'> },
): Promise<Enriched> {
  const wanted = names.flatMap(({ name }) => name ?? []);
  const found = await domains.findRecords(wanted);
  const byName = new Map(wanted.map((name, index) => [name, found[index]]));
  const records: DomainRecord[] = [];
  const missing: string[] = [];
  for (const { written, name } of names) {
    const record = name === undefined ? undefined : byName.get(name);
    if (record) records.push(record);
    else missing.push(written);
  }
  return { records, missing };
}
