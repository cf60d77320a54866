/** The scorer that the settings ask for: with a model of the operator's own, or with ours. */
import { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings.ts';
import { readModel } from './read-model.ts';

export function openRiskScorer({ risk }: Pick<Settings, 'risk'>): RiskScorer {
  return new RiskScorer(readModel(risk.modelFile || undefined), risk);
}
