/**
 * What the scores of names owe to each feature group: the mean contribution for ordinary and for bad names, in log-odds, and the
 * top-level domains whose ordinary names owe it most. A group that counts against ordinary names of one kind is a shortcut, learnt from
 * where the training data came from.
 */
import { type FeatureGroup, featureGroups } from '../../src/model/risk/name/name-features.ts';
import { findNameParts, type NameParts } from '../../src/model/risk/name/name-parts.ts';
import type { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import type { Threat } from '../../src/model/risk/threat.ts';
import { tldOf } from './evaluate-popular.ts';
import type { NameSamples } from './match-suffixes.ts';

export interface FeatureGroupMeans {
  readonly group: FeatureGroup;
  readonly good: number;
  readonly bad: number;
  /** The largest mean of the ordinary names of a top-level domain. */
  readonly most?: { readonly tld: string; readonly mean: number };
}

const tldNamesMin = 200;
/** Every so many names, because an explanation costs ten times as much as a score. */
const namesMax = 50_000;

export function featureGroupMeans(
  scorer: NameScorer,
  threat: Threat,
  { bad, good }: NameSamples,
): readonly FeatureGroupMeans[] {
  const ofGood = sampled(good).flatMap((name) => findNameParts(name) ?? []);
  const ofBad = sampled(bad).flatMap((name) => findNameParts(name) ?? []);
  const means = (names: readonly NameParts[]) => meansOf(scorer, threat, names);
  const [goodMeans, badMeans] = [means(ofGood), means(ofBad)];
  const byTld = [...Map.groupBy(ofGood, tldOf)]
    .filter(([, names]) => names.length >= tldNamesMin)
    .map(([tld, names]) => ({ tld, ofTld: means(names) }));
  return featureGroups.map((group) => {
    const [most] = byTld
      .map(({ tld, ofTld }) => ({ tld, mean: ofTld[group] }))
      .sort((a, b) => b.mean - a.mean);
    return { group, good: goodMeans[group], bad: badMeans[group], ...(most ? { most } : {}) };
  });
}

function meansOf(
  scorer: NameScorer,
  threat: Threat,
  names: readonly NameParts[],
): Readonly<Record<FeatureGroup, number>> {
  const sums = Object.fromEntries(featureGroups.map((group) => [group, 0])) as Record<FeatureGroup, number>;
  for (const parts of names) {
    const added = scorer.groupsOf(parts, threat);
    for (const group of featureGroups) sums[group] += added[group] / names.length;
  }
  return sums;
}

function sampled(names: readonly string[]): readonly string[] {
  const step = Math.ceil(names.length / namesMax);
  return step <= 1 ? names : names.filter((_, at) => at % step === 0);
}
