/**
 * Calibration: maps the log-odds of a model to evidence, the logarithm of how many times as frequent such a value is among bad names as
 * among good ones (the log-likelihood ratio), by a monotonic, piecewise linear curve that was fitted on held-out examples.
 */
import { scoreOfShare, shareOfLogOdds } from '../score-scale.ts';

export interface CalibrationCurve {
  /** Ascending. */
  readonly logOdds: Float32Array;
  /** The evidence at each knot, ascending. */
  readonly evidence: Float32Array;
}

/** The score of a name or record; `priorLogOdds` is that of any name. */
export function scoreOf(curve: CalibrationCurve, logOdds: number, priorLogOdds: number): number {
  return scoreOfShare(shareOf(curve, logOdds, priorLogOdds));
}

/** A score before it is rounded, from 0 to 1. */
export function shareOf(curve: CalibrationCurve, logOdds: number, priorLogOdds: number): number {
  return shareOfLogOdds(evidenceAt(curve, logOdds) + priorLogOdds);
}

export function evidenceAt({ logOdds: knots, evidence }: CalibrationCurve, logOdds: number): number {
  let [low, high] = [0, knots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((knots[middle] as number) <= logOdds) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return evidence[0] ?? 0;
  if (low === knots.length) return evidence[low - 1] as number;
  const [left, right] = [knots[low - 1] as number, knots[low] as number];
  const [from, to] = [evidence[low - 1] as number, evidence[low] as number];
  return right === left ? to : from + ((to - from) * (logOdds - left)) / (right - left);
}
