/** How well scores tell bad names from good ones. */
import type { Quality } from './risk-model.ts';

export function qualityOf(bad: Float64Array, good: Float64Array): Quality {
  const [badSorted, goodSorted] = [bad.toSorted(), good.toSorted()];
  const found = (percent: number) => shareFound(badSorted, goodSorted, percent / 100);
  return {
    bad: bad.length,
    good: good.length,
    auc: aucOf(badSorted, goodSorted),
    foundAt: { '0.1': found(0.1), '0.35': found(0.35), '1': found(1) },
  };
}

/** How often a bad name has more than a good one; as much counts half. Both ascending. */
function aucOf(bad: Float64Array, good: Float64Array): number {
  let [below, upTo, sum] = [0, 0, 0];
  for (const value of bad) {
    while (below < good.length && (good[below] as number) < value) below += 1;
    if (upTo < below) upTo = below;
    while (upTo < good.length && (good[upTo] as number) === value) upTo += 1;
    sum += (below + upTo) / 2;
  }
  return sum / (bad.length * good.length);
}

/** The share of bad names above what at most this share of the good ones is above. Both ascending. */
function shareFound(bad: Float64Array, good: Float64Array, allowed: number): number {
  const bound = good[good.length - 1 - Math.floor(good.length * allowed)] ?? Number.NEGATIVE_INFINITY;
  const atMost = bad.findLastIndex((value) => value <= bound) + 1;
  return (bad.length - atMost) / bad.length;
}

export interface ScoreBand {
  readonly from: number;
  readonly to: number;
  readonly bad: number;
  readonly good: number;
  /** The share of bad ones, as if there were as many bad names as good ones in all. */
  readonly balancedShare: number;
}

const bandWidth = 10;

/** Scores in tens, 0-9 to 90-99. */
export function bandsOf(bad: readonly number[], good: readonly number[]): readonly ScoreBand[] {
  const [badCounts, goodCounts] = [countsOf(bad), countsOf(good)];
  return badCounts.map((inBad, band) => {
    const inGood = goodCounts[band] as number;
    const [badPart, goodPart] = [inBad / bad.length, inGood / good.length];
    const from = band * bandWidth;
    const balancedShare = badPart + goodPart === 0 ? 0 : badPart / (badPart + goodPart);
    return { from, to: from + bandWidth - 1, bad: inBad, good: inGood, balancedShare };
  });
}

function countsOf(scores: readonly number[]): number[] {
  const counts = new Array<number>(100 / bandWidth).fill(0);
  for (const score of scores) {
    const band = Math.min(counts.length - 1, Math.floor(score / bandWidth));
    counts[band] = (counts[band] as number) + 1;
  }
  return counts;
}
