/** Matched sampling: as many good as bad names of every suffix, so that an evaluation measures the label alone. */
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import { type Random, shuffledOrder } from './seeded-random.ts';

export interface NameSamples {
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

export function matchSuffixes({ bad, good }: NameSamples, random: Random): NameSamples {
  const [badOf, goodOf] = [bySuffix(bad), bySuffix(good)];
  const matched: { readonly bad: string[]; readonly good: string[] } = { bad: [], good: [] };
  for (const [suffix, names] of badOf) {
    const others = goodOf.get(suffix) ?? [];
    const count = Math.min(names.length, others.length);
    matched.bad.push(...picked(names, count, random));
    matched.good.push(...picked(others, count, random));
  }
  return matched;
}

function bySuffix(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    names.filter((name) => findNameParts(name) !== undefined),
    (name) => findNameParts(name)?.suffix ?? '',
  );
}

function* picked(names: readonly string[], count: number, random: Random): Generator<string> {
  const order = shuffledOrder(names.length, random);
  for (let at = 0; at < count; at += 1) yield names[order[at] as number] as string;
}
