/** The scorer of the settings: with the operator's model, or else the one of the package. */
import { RiskScorer } from '../../model/risk/risk-scorer.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { readModel } from './read-model.ts';

export function openRiskScorer({ risk }: Pick<Settings, 'risk'>): RiskScorer {
  return new RiskScorer(readModel(risk.modelFile || undefined), risk);
}
