/** How good a model is on names that it was not trained on. */
import { bandsOf, qualityOf, type ScoreBand } from '../measure.ts';
import { findNameParts } from '../name-parts.ts';
import { NameScorer } from '../name-scorer.ts';
import type { Quality, RiskModel } from '../risk-model.ts';
import { scoreOf } from '../score-curve.ts';
import type { Threat } from '../threat.ts';

export interface Measured {
  readonly quality: Quality;
  /** The same without what suffixes say for themselves: where suffixes are matched they can only mislead. */
  readonly labelAlone: Quality;
  readonly bands: readonly ScoreBand[];
}

/** Undefined where one side is empty. */
export function measureModel(
  model: RiskModel,
  threat: Threat,
  bad: readonly string[],
  good: readonly string[],
): Measured | undefined {
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
