/**
 * Calibration by Platt scaling (https://en.wikipedia.org/wiki/Platt_scaling): a logistic curve fitted on cross-validated log-odds. There
 * are too few records for isotonic regression, and the prior of the regression keeps the curve from claiming more certainty than
 * their number allows.
 */
import type { CalibrationCurve } from '../../src/model/risk/name/calibration-curve.ts';
import { fitLogisticRegression } from './logistic-regression.ts';
import { badToGoodPrior } from './prior-correction.ts';

export interface WeightedExample {
  readonly logOdds: number;
  readonly isBad: boolean;
  readonly weight: number;
}

const logOddsMax = 12;
const knotsPerOne = 4;

export function fitPlatt(examples: readonly WeightedExample[]): CalibrationCurve {
  // The same regression, with the log-odds of all facts as the only predictor.
  const rows = examples.map(({ logOdds, isBad, weight }) => ({
    nameLogOdds: Math.max(-logOddsMax, Math.min(logOddsMax, logOdds)),
    facts: [],
    isBad,
    weight,
  }));
  const { base, nameWeight } = fitLogisticRegression(rows, []);
  return logisticCurve(Math.max(0, nameWeight), base + Math.log(badToGoodPrior));
}

function logisticCurve(slope: number, intercept: number): CalibrationCurve {
  const knots = 2 * logOddsMax * knotsPerOne + 1;
  const logOdds = Float32Array.from({ length: knots }, (_, knot) => knot / knotsPerOne - logOddsMax);
  return { logOdds, shares: logOdds.map((at) => 1 / (1 + Math.exp(-(slope * at + intercept)))) };
}
