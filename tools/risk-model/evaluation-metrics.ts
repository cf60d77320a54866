/** Metrics of a binary classifier: ROC AUC, true positive rates at fixed false positive rates, and a reliability table. */
import type { Quality } from '../../src/model/risk/name/name-model.ts';
import { defaultPrior } from '../../src/model/risk/prior.ts';

export function qualityOf(bad: Float64Array, good: Float64Array): Quality {
  const [badSorted, goodSorted] = [bad.toSorted(), good.toSorted()];
  const found = (percent: number) => truePositiveRate(badSorted, goodSorted, percent / 100);
  return {
    bad: bad.length,
    good: good.length,
    auc: aucOf(badSorted, goodSorted),
    foundAt: { '0.1': found(0.1), '0.35': found(0.35), '1': found(1) },
  };
}

/** ROC AUC: the probability that a bad name ranks above a good one; ties count half. Both arrays ascending. */
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

/** The true positive rate at the threshold with at most this false positive rate. Both arrays ascending. */
function truePositiveRate(bad: Float64Array, good: Float64Array, allowed: number): number {
  const bound = good[good.length - 1 - Math.floor(good.length * allowed)] ?? Number.NEGATIVE_INFINITY;
  const atMost = bad.findLastIndex((value) => value <= bound) + 1;
  return (bad.length - atMost) / bad.length;
}

export interface ScoreBand {
  readonly from: number;
  readonly to: number;
  readonly bad: number;
  readonly good: number;
  /** The share of bad names in the band, reweighted to as many bad as good names overall. */
  readonly balancedShare: number;
  /** The same in a world in which bad names are as frequent as the prior says. */
  readonly badShare: number;
}

const bandWidth = 10;

/** The reliability table: scores in bands of ten, 0-9 to 90-99. */
export function bandsOf(
  bad: readonly number[],
  good: readonly number[],
  prior: number = defaultPrior,
): readonly ScoreBand[] {
  const [badCounts, goodCounts] = [countsOf(bad), countsOf(good)];
  return badCounts.map((inBad, band) => {
    const inGood = goodCounts[band] as number;
    const [badPart, goodPart] = [inBad / bad.length, inGood / good.length];
    const from = band * bandWidth;
    return {
      from,
      to: from + bandWidth - 1,
      bad: inBad,
      good: inGood,
      balancedShare: shareOf(badPart, goodPart),
      badShare: shareOf(prior * badPart, (1 - prior) * goodPart),
    };
  });
}

function shareOf(bad: number, good: number): number {
  return bad + good === 0 ? 0 : bad / (bad + good);
}

function countsOf(scores: readonly number[]): number[] {
  const counts = new Array<number>(100 / bandWidth).fill(0);
  for (const score of scores) {
    const band = Math.min(counts.length - 1, Math.floor(score / bandWidth));
    counts[band] = (counts[band] as number) + 1;
  }
  return counts;
}
