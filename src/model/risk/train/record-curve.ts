/**
 * From log-odds to scores where there are too few records to count them score by score: a logistic curve with the slope and the place
 * that fit records which the weights were not learnt from (Platt). Records are few and alike, so it never claims to be surer than their
 * number allows.
 */
import type { ScoreCurve } from '../score-curve.ts';
import { badToGood } from './expected-share.ts';
import { fitRegression } from './record-regression.ts';

export interface WeighedJudgement {
  readonly logOdds: number;
  readonly isBad: boolean;
  readonly weight: number;
}

const logOddsMax = 12;
const knotsPerOne = 4;

export function fitLogistic(judged: readonly WeighedJudgement[]): ScoreCurve {
  // The same regression, with what all facts together said in the place of the name.
  const rows = judged.map(({ logOdds, isBad, weight }) => ({
    nameLogOdds: Math.max(-logOddsMax, Math.min(logOddsMax, logOdds)),
    facts: [],
    isBad,
    weight,
  }));
  const { base, nameWeight } = fitRegression(rows, []);
  return logisticCurve(Math.max(0, nameWeight), base + Math.log(badToGood));
}

function logisticCurve(slope: number, place: number): ScoreCurve {
  const knots = 2 * logOddsMax * knotsPerOne + 1;
  const logOdds = Float32Array.from({ length: knots }, (_, knot) => knot / knotsPerOne - logOddsMax);
  return { logOdds, shares: logOdds.map((at) => 1 / (1 + Math.exp(-(slope * at + place)))) };
}
