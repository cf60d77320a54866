/** Reads the lists of an evaluation: the distinct domains, with what a list says about them beside their label. */
import type { RankedName } from '../../../tools/risk-model/evaluate-popular.ts';
import type { ListedName } from '../../../tools/risk-model/evaluate-slices.ts';
import { isHeldOut } from '../../../tools/risk-model/held-out.ts';
import { popularRankMin } from '../../../tools/risk-model/training-set.ts';
import { findNameParts } from '../../model/risk/name/name-parts.ts';
import { type ListOptions, scanLabelledNames } from './labelled-names.ts';

export interface EvalListOptions extends ListOptions {
  readonly heldOut?: boolean;
  readonly since?: string;
}

/** With `since`, undated names of a list count only if none of its names is dated. */
export async function readListedNames(
  files: readonly string[] | undefined,
  options: EvalListOptions,
): Promise<readonly ListedName[]> {
  const names = new Map<string, ListedName>();
  const add = (listed: ListedName) => {
    if (!names.has(listed.name)) names.set(listed.name, listed);
  };
  for (const file of files ?? []) {
    const undated: ListedName[] = [];
    let hasDays = false;
    for await (const { name, date } of scanLabelledNames([file])) {
      const domain = findNameParts(name)?.domain;
      hasDays ||= date !== undefined;
      if (domain === undefined || (options.heldOut && !isHeldOut(domain))) continue;
      const isHost = name.split('.').length > domain.split('.').length;
      if (date === undefined) undated.push({ name: domain, isHost });
      else if (options.since === undefined || date >= options.since)
        add({ name: domain, isHost, year: date.slice(0, 4) });
    }
    if (options.since === undefined || !hasDays) for (const listed of undated) add(listed);
  }
  return [...names.values()];
}

/** The most popular names are never trained on, so all of them are used. Names without a rank are ignored. */
export async function readPopularNames({
  popular,
  heldOut,
}: EvalListOptions): Promise<readonly RankedName[]> {
  const names: RankedName[] = [];
  for await (const { name, rank } of scanLabelledNames(popular)) {
    const domain = findNameParts(name)?.domain;
    if (domain === undefined || rank === undefined) continue;
    if (!heldOut || rank <= popularRankMin || isHeldOut(domain)) names.push({ name: domain, rank });
  }
  return names;
}
