/** Evaluates a name model on names that it was not trained on. */

import type { Quality } from '../../src/model/risk/name/name-model.ts';
import { findNameParts, type NameParts } from '../../src/model/risk/name/name-parts.ts';
import { NameScorer } from '../../src/model/risk/name/name-scorer.ts';
import { priorsOf } from '../../src/model/risk/prior.ts';
import type { Threat } from '../../src/model/risk/threat.ts';
import { bandsOf, qualityOf, type ScoreBand } from './evaluation-metrics.ts';
import type { NameSamples } from './match-suffixes.ts';

export interface NameEvaluation {
  readonly quality: Quality;
  /** The same without the weight of the suffix, which can only mislead in a sample with matched suffixes. */
  readonly labelAlone: Quality;
  readonly bands: readonly ScoreBand[];
}

/** Undefined if there are no bad or no good names. */
export function evaluateNames(
  scorer: NameScorer,
  threat: Threat,
  samples: NameSamples,
): NameEvaluation | undefined {
  const [bad, good] = [partsOf(samples.bad), partsOf(samples.good)];
  if (bad.length === 0 || good.length === 0) return undefined;
  const alone = new NameScorer({ ...scorer.model, suffixes: { suffixes: [], weights: new Float32Array() } });
  const scores = (side: readonly NameParts[]) => side.map((parts) => scorer.scoreFor(parts, threat));
  return {
    quality: qualityBy(scorer, threat, bad, good),
    labelAlone: qualityBy(alone, threat, bad, good),
    bands: bandsOf(scores(bad), scores(good), priorsOf(scorer.prior)[threat]),
  };
}

function qualityBy(
  scorer: NameScorer,
  threat: Threat,
  bad: readonly NameParts[],
  good: readonly NameParts[],
): Quality {
  const logOdds = (side: readonly NameParts[]) =>
    Float64Array.from(side, (parts) => scorer.logOddsOf(parts)[threat]);
  return qualityOf(logOdds(bad), logOdds(good));
}

function partsOf(names: readonly string[]): readonly NameParts[] {
  return names.flatMap((name) => findNameParts(name) ?? []);
}
