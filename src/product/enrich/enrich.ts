/** The records of domains that are asked for by name. What has no record is told by the name that was asked for. */
import { fieldProblem } from '../../model/problem.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { inForm } from '../../model/record/text-forms.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface AskedName {
  readonly asked: string;
  /** In punycode; undefined for what cannot be a name, and therefore has no record. */
  readonly name: string | undefined;
}

export interface Enriched {
  /** In the order asked for. */
  readonly records: readonly DomainRecord[];
  readonly missing: readonly string[];
}

/** A comma-separated list, in Unicode or punycode, in any letter case. Of the same name in several forms the first counts. */
export function readNames(list: string, namesMax: number): readonly AskedName[] {
  const asked = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (asked.length === 0) throw fieldProblem('invalid-parameters', 'domain', 'names no domain');
  if (asked.length > namesMax) {
    throw fieldProblem('invalid-parameters', 'domain', `names more than ${namesMax} domains`);
  }
  const names = new Map<string, AskedName>();
  for (const one of asked) {
    const made = inForm('host', one);
    const name = 'text' in made ? made.text : undefined;
    const known = name ?? one;
    if (!names.has(known)) names.set(known, { asked: one, name });
  }
  return [...names.values()];
}

export async function enrich(
  names: readonly AskedName[],
  { domains }: { readonly domains: Pick<DomainStore, 'findRecords'> },
): Promise<Enriched> {
  const wanted = names.flatMap(({ name }) => name ?? []);
  const found = await domains.findRecords(wanted);
  const byName = new Map(wanted.map((name, index) => [name, found[index]]));
  const records: DomainRecord[] = [];
  const missing: string[] = [];
  for (const { asked, name } of names) {
    const record = name === undefined ? undefined : byName.get(name);
    if (record) records.push(record);
    else missing.push(asked);
  }
  return { records, missing };
}
