/**
 * Prior correction (Bayes' rule with another base rate): training data has as many bad as good examples, real domains do not, and the
 * overall score is the maximum of several, each of which may be wrong. These scores are therefore calibrated for one bad domain in six.
 * The phishing score of a name alone is not corrected.
 */
import type { CalibrationCurve } from '../../src/model/risk/name/calibration-curve.ts';

export const badToGoodPrior = 1 / 5;

export function withLowerPrior({ logOdds, shares }: CalibrationCurve): CalibrationCurve {
  return {
    logOdds,
    shares: shares.map((share) => (badToGoodPrior * share) / (badToGoodPrior * share + 1 - share)),
  };
}
