/**
 * Sample weights. Names are weighted as if every suffix had as many good as bad names, so that the model learns nothing about the suffix
 * from where its lists happened to come from. Bad names of a suffix without ordinary names are not used.
 */
import type { Threat } from '../../src/model/risk/threat.ts';
import type { TrainingSet } from './training-set.ts';

/** The maximum factor for a good name of a suffix with few of them; beyond it the bad names count less. */
const raisedMax = 16;

export interface WeightOptions {
  readonly popularFactor?: number;
  /** What is left of the weight of a bad name after a year. */
  readonly decay?: number;
}

/**
 * By name; 0 for names that are irrelevant to the threat. `popularFactor` is a factor on the weights of popular names: the prior is that of
 * new registrations, so calibration uses those, and popular names only for suffixes that have nothing else.
 */
export function sampleWeights(
  set: TrainingSet,
  threat: Threat,
  { popularFactor = 1, decay }: WeightOptions = {},
): Float32Array {
  const weights = new Float32Array(set.size);
  const bySuffix = new Map<string, { bad: number; good: number }>();
  for (let index = 0; index < set.size; index += 1) {
    const isBad = set.isOf(index, threat);
    if (!isBad && !set.isGood(index)) continue;
    const weight = set.weightOf(index, decay) * (set.isPopular(index) ? popularFactor : 1);
    const suffix = set.suffixes[index] as string;
    let sums = bySuffix.get(suffix);
    if (!sums) bySuffix.set(suffix, (sums = { bad: 0, good: 0 }));
    if (isBad) sums.bad += weight;
    else sums.good += weight;
    weights[index] = weight;
  }
  for (let index = 0; index < set.size; index += 1) {
    const weight = weights[index] as number;
    if (weight === 0) continue;
    const { bad, good } = bySuffix.get(set.suffixes[index] as string) as { bad: number; good: number };
    weights[index] = set.isOf(index, threat)
      ? weight * Math.min(1, (raisedMax * good) / bad)
      : weight * Math.min(raisedMax, bad / good);
  }
  return weights;
}
