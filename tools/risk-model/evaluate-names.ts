/** Evaluates a name model on names that it was not trained on. */

import { scoreOf } from '../../src/model/risk/name/calibration-curve.ts';
import type { Quality, RiskModel } from '../../src/model/risk/name/name-model.ts';
import { findNameParts } from '../../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import type { Threat } from '../../src/model/risk/threat.ts';
import { bandsOf, qualityOf, type ScoreBand } from './evaluation-metrics.ts';

export interface NameEvaluation {
  readonly quality: Quality;
  /** The same without the weight of the suffix, which can only mislead in a sample with matched suffixes. */
  readonly labelAlone: Quality;
  readonly bands: readonly ScoreBand[];
}

/** Undefined if there are no bad or no good names. */
export function evaluateNames(
  model: RiskModel,
  threat: Threat,
  bad: readonly string[],
  good: readonly string[],
): NameEvaluation | undefined {
  const [ofBad, ofGood] = [logOddsOf(model, threat, bad), logOddsOf(model, threat, good)];
  if (ofBad.length === 0 || ofGood.length === 0) return undefined;
  const alone = { ...model, suffixTrust: { country: 0, generic: 0, genericMax: 0 } };
  const scores = (logOdds: Float64Array) =>
    Array.from(logOdds, (value) => scoreOf(model.curves[threat], value));
  return {
    quality: qualityOf(ofBad, ofGood),
    labelAlone: qualityOf(logOddsOf(alone, threat, bad), logOddsOf(alone, threat, good)),
    bands: bandsOf(scores(ofBad), scores(ofGood)),
  };
}

function logOddsOf(model: RiskModel, threat: Threat, names: readonly string[]): Float64Array {
  const scorer = new NameScorer(model);
  return Float64Array.from(
    names.flatMap((name) => {
      const parts = findNameParts(name);
      return parts ? [scorer.logOddsOf(parts)[threat]] : [];
    }),
  );
}
