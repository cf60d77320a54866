/**
 * Sample weights. The weights of label features are trained as if every suffix had as many good as bad names, so that they do not
 * encode the suffix; the weights of suffix features are trained on the actual distribution.
 */
import type { Threat } from '../../src/model/risk/threat.ts';
import type { TrainingSet } from './training-set.ts';

export interface SampleWeights {
  /** Good and bad names of each suffix have the same total weight. */
  readonly levelled: Float32Array;
  /** Good and bad names have the same total weight. Both weights are 0 for names that are irrelevant to the threat. */
  readonly plain: Float32Array;
}

/** The maximum factor for a name of a suffix that is rare on its side. */
const raisedMax = 4;

export function sampleWeights(set: TrainingSet, threat: Threat): SampleWeights {
  const plain = new Float32Array(set.size);
  const levelled = new Float32Array(set.size);
  const bySuffix = new Map<string, { bad: number; good: number }>();
  let [bad, good] = [0, 0];
  for (let index = 0; index < set.size; index += 1) {
    const isBad = set.isOf(index, threat);
    if (!isBad && !set.isGood(index)) continue;
    const weight = set.weightOf(index);
    const suffix = set.suffixes[index] as string;
    let sums = bySuffix.get(suffix);
    if (!sums) bySuffix.set(suffix, (sums = { bad: 0, good: 0 }));
    if (isBad) sums.bad += weight;
    else sums.good += weight;
    if (isBad) bad += weight;
    else good += weight;
    plain[index] = weight;
  }
  for (let index = 0; index < set.size; index += 1) {
    const weight = plain[index] as number;
    if (weight === 0) continue;
    const isBad = set.isOf(index, threat);
    const sums = bySuffix.get(set.suffixes[index] as string) as { bad: number; good: number };
    levelled[index] = isBad
      ? weight * Math.min(1, (raisedMax * sums.good) / sums.bad)
      : weight * Math.min(raisedMax, sums.bad / sums.good);
    plain[index] = isBad ? weight : (weight * bad) / good;
  }
  return { levelled, plain };
}
