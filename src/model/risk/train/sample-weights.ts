/**
 * What each name counts for. The weights of labels are learnt as if every suffix had as many good names as bad ones, so that they
 * say nothing of suffixes; the weights of suffixes are learnt from the names as they are.
 */
import type { Threat } from '../threat.ts';
import type { TrainingSet } from './training-set.ts';

export interface SampleWeights {
  /** Good and bad names of each suffix weigh the same. */
  readonly levelled: Float32Array;
  /** Good and bad names weigh the same in all. Both are 0 for names that say nothing of the threat. */
  readonly plain: Float32Array;
}

/** A name of a suffix that is rare on its side counts for no more than this. */
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
