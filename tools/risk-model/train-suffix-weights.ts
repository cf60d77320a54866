/**
 * Trains the weights of suffixes from how common they are among bad and among ordinary names. Lists of ordinary names lean to some
 * suffixes, and which suffixes are abused changes with their prices, so a suffix counts only where the difference is large, and two
 * limits hold: without enough ordinary names a suffix never counts against a name; and no suffix may count so much that more than one in
 * a hundred of its own ordinary names, popular or new, reaches the score that is worth an inspection.
 */
import { type CalibrationCurve, evidenceAt } from '../../src/model/risk/name/calibration-curve.ts';
import type { SuffixWeights } from '../../src/model/risk/name/suffix-weights.ts';
import { defaultPrior, priorLogOddsOf } from '../../src/model/risk/prior.ts';
import { probabilityOfScore } from '../../src/model/risk/score-scale.ts';
import { type Threat, threats } from '../../src/model/risk/threat.ts';
import type { TrainingSet } from './training-set.ts';

/** The log-odds of a threat, without suffix weights, of some names of the set. */
export interface ThreatLogOdds {
  readonly threat: Threat;
  readonly curve: CalibrationCurve;
  /** Indexes in the set. */
  readonly names: ArrayLike<number>;
  readonly logOdds: ArrayLike<number>;
}

/** Differences up to a factor of one and a half do not count (in logarithms). */
const threshold = 0.4;
const strength = 0.9;
const weightMin = -2;
/** Which generic suffixes are abused changes within months: more than this would mislead about names of a later time. */
const weightMax = 0.05;
/** Added to both shares, so that rare suffixes have small weights. */
const pseudoshare = 1e-5;
const ordinaryNamesMin = 30;
const flaggedScore = 70;
const flaggedShareMax = 0.01;
/** Weights are rounded, so that the same data gives the same file everywhere. */
const stepsPerOne = 100;

export function trainSuffixWeights(set: TrainingSet, all: readonly ThreatLogOdds[]): SuffixWeights {
  const shares = sharesOf(set);
  const suffixes = [...shares.keys()].filter((suffix) => (shares.get(suffix)?.ordinary ?? 0) > 0).sort();
  const limits = all.map((one) => limitsOf(set, one));
  const weights = suffixes.flatMap((suffix) => {
    const { bad, ordinary } = shares.get(suffix) as SuffixShares;
    return threats.map((threat, slot) => {
      const ratio = Math.log(((bad[slot] as number) + pseudoshare) / (ordinary + pseudoshare));
      const at = all.findIndex((one) => one.threat === threat);
      const limit = limits[at]?.get(suffix) ?? 0;
      const counted = strength * Math.sign(ratio) * Math.max(0, Math.abs(ratio) - threshold);
      const weight = Math.max(weightMin, Math.min(weightMax, limit, counted));
      return Math.round(weight * stepsPerOne) / stepsPerOne;
    });
  });
  return { suffixes, weights: Float32Array.from(weights) };
}

interface SuffixShares {
  /** The suffix's share of the bad names, by threat. */
  readonly bad: number[];
  /** The mean of its shares of the popular and of the newly registered names. */
  ordinary: number;
}

function sharesOf(set: TrainingSet): ReadonlyMap<string, SuffixShares> {
  const sums = { bad: threats.map(() => 0), popular: 0, registered: 0 };
  for (let index = 0; index < set.size; index += 1) {
    if (set.isPopular(index)) sums.popular += 1;
    else if (set.isGood(index)) sums.registered += 1;
    else for (const slot of slotsOf(set, index)) sums.bad[slot] = (sums.bad[slot] as number) + 1;
  }
  const kinds = Math.sign(sums.popular) + Math.sign(sums.registered);
  const bySuffix = new Map<string, SuffixShares>();
  for (let index = 0; index < set.size; index += 1) {
    const suffix = set.suffixes[index] as string;
    let shares = bySuffix.get(suffix);
    if (!shares) bySuffix.set(suffix, (shares = { bad: threats.map(() => 0), ordinary: 0 }));
    if (set.isGood(index))
      shares.ordinary += 1 / kinds / (set.isPopular(index) ? sums.popular : sums.registered);
    else
      for (const slot of slotsOf(set, index))
        shares.bad[slot] = (shares.bad[slot] as number) + 1 / (sums.bad[slot] as number);
  }
  return bySuffix;
}

function slotsOf(set: TrainingSet, index: number): readonly number[] {
  return threats.flatMap((threat, slot) => (set.isOf(index, threat) ? [slot] : []));
}

/** By suffix the largest weight with which few of its ordinary names are flagged. */
function limitsOf(
  set: TrainingSet,
  { threat, curve, names, logOdds }: ThreatLogOdds,
): ReadonlyMap<string, number> {
  const flagged = flaggedLogOdds(curve, threat);
  const bySuffix = new Map<string, { popular: number[]; registered: number[] }>();
  for (let at = 0; at < names.length; at += 1) {
    const index = names[at] as number;
    if (!set.isGood(index)) continue;
    const suffix = set.suffixes[index] as string;
    let sides = bySuffix.get(suffix);
    if (!sides) bySuffix.set(suffix, (sides = { popular: [], registered: [] }));
    sides[set.isPopular(index) ? 'popular' : 'registered'].push(logOdds[at] as number);
  }
  const limits = new Map<string, number>();
  for (const [suffix, { popular, registered }] of bySuffix) {
    const sides = [popular, registered].filter((side) => side.length >= ordinaryNamesMin);
    if (sides.length > 0) limits.set(suffix, flagged - Math.max(...sides.map(highOf)));
  }
  return limits;
}

/** The log-odds that only the flagged share exceeds. */
function highOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil(sorted.length * (1 - flaggedShareMax)) - 1] as number;
}

/** The least log-odds on the curve that give the flagged score; infinite if none do. */
function flaggedLogOdds(curve: CalibrationCurve, threat: Threat): number {
  const probability = probabilityOfScore(flaggedScore);
  const needed = Math.log(probability / (1 - probability)) - priorLogOddsOf(defaultPrior)[threat];
  return curve.logOdds.find((logOdds) => evidenceAt(curve, logOdds) >= needed) ?? Number.POSITIVE_INFINITY;
}
