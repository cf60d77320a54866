/**
 * Calibration: maps log-odds to a score by a monotonic, piecewise linear curve that was fitted on held-out examples. Of the names with
 * a score of 80, four in five are bad in a set with as many bad as good names. A model never gives 0 or 100: those are for listed
 * domains.
 */
export interface CalibrationCurve {
  /** Ascending. */
  readonly logOdds: Float32Array;
  /** The share of bad names at each knot, 0 to 1, ascending. */
  readonly shares: Float32Array;
}

export const nameScoreMin = 1;
export const nameScoreMax = 99;

export function scoreOf(curve: CalibrationCurve, logOdds: number): number {
  const share = shareAt(curve, logOdds);
  return Math.min(nameScoreMax, Math.max(nameScoreMin, Math.floor(share * 100)));
}

function shareAt({ logOdds: knots, shares }: CalibrationCurve, logOdds: number): number {
  let [low, high] = [0, knots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((knots[middle] as number) <= logOdds) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return shares[0] ?? 0.5;
  if (low === knots.length) return shares[low - 1] as number;
  const [left, right] = [knots[low - 1] as number, knots[low] as number];
  const [from, to] = [shares[low - 1] as number, shares[low] as number];
  return right === left ? to : from + ((to - from) * (logOdds - left)) / (right - left);
}
