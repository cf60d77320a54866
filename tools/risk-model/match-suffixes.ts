/** Matched sampling: as many good as bad names of every suffix, so that an evaluation measures the label alone. */
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import { matchStrata } from './match-strata.ts';
import type { Random } from './seeded-random.ts';

export interface NameSamples {
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

export function matchSuffixes({ bad, good }: NameSamples, random: Random): NameSamples {
  const suffixOf = (name: string) => findNameParts(name)?.suffix ?? '';
  const isRegistrable = (name: string) => findNameParts(name) !== undefined;
  return matchStrata({ bad: bad.filter(isRegistrable), good: good.filter(isRegistrable) }, suffixOf, random);
}
