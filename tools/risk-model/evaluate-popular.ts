/**
 * How ordinary, popular names score by the name alone: the share that would be flagged, for all and for each top-level domain, and
 * whether the most popular names, which are not trained on, are distinguished from names that imitate them.
 */
import { findNameParts, type NameParts } from '../../src/model/risk/name/name-parts.ts';
import type { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import { popularRankMin } from './training-set.ts';

export interface RankedName {
  readonly name: string;
  readonly rank: number;
}

export interface FlaggedNames {
  readonly names: number;
  /** The shares with a score of 70 and more, and of 90 and more. */
  readonly from70: number;
  readonly from90: number;
}

export interface PopularEvaluation {
  /** Names of rank over 20,000. */
  readonly ordinary: FlaggedNames & { readonly median: number };
  /** The same for each top-level domain with enough names, those with the most flagged names first. */
  readonly byTld: readonly (FlaggedNames & { readonly tld: string })[];
  /** The names of rank up to 1,000, and the share with a score over 40. */
  readonly top: { readonly names: number; readonly over40: number };
}

const ordinaryRankMin = 20_000;
const tldNamesMin = 1000;

export function evaluatePopular(scorer: NameScorer, all: readonly RankedName[]): PopularEvaluation {
  const scored = all.flatMap(({ name, rank }) => {
    const parts = findNameParts(name);
    return parts ? [{ rank, tld: tldOf(parts), score: overallScore(scorer, parts) }] : [];
  });
  const ordinary = scored.filter(({ rank }) => rank > ordinaryRankMin);
  const top = scored.filter(({ rank }) => rank <= popularRankMin);
  const byTld = [...Map.groupBy(ordinary, ({ tld }) => tld)]
    .filter(([, names]) => names.length >= tldNamesMin)
    .map(([tld, names]) => ({ tld, ...flagged(names) }));
  return {
    ordinary: { ...flagged(ordinary), median: medianOf(ordinary.map(({ score }) => score)) },
    byTld: byTld.toSorted((a, b) => b.from70 - a.from70 || (a.tld < b.tld ? -1 : 1)),
    top: { names: top.length, over40: shareOf(top, ({ score }) => score > 40) },
  };
}

/** The score of the name: the largest of its threats. */
export function overallScore(scorer: NameScorer, parts: NameParts): number {
  return Math.max(...Object.values(scorer.scoresOf(parts)));
}

export function tldOf({ suffix }: NameParts): string {
  return suffix.slice(suffix.lastIndexOf('.') + 1);
}

function flagged(names: readonly { readonly score: number }[]): FlaggedNames {
  return {
    names: names.length,
    from70: shareOf(names, ({ score }) => score >= 70),
    from90: shareOf(names, ({ score }) => score >= 90),
  };
}

function shareOf<One>(all: readonly One[], isCounted: (one: One) => boolean): number {
  return all.length === 0 ? 0 : all.filter(isCounted).length / all.length;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
