/** A loaded risk model, ready to score domains: the name model, the record model if there is one, and the popularity threshold. */

import type { RiskModel } from './name/name-model.ts';
import { NameScorer } from './name/name-scorer.ts';
import { RecordScorer } from './record/record-scorer.ts';

export class RiskScorer {
  readonly names: NameScorer;
  readonly records: RecordScorer | undefined;
  /** Domains up to this popularity rank are zero-listed; 0 disables the rule. */
  readonly popularRankMax: number;

  constructor(model: RiskModel, { popularRankMax }: { readonly popularRankMax: number }) {
    this.names = new NameScorer(model, { capsSuffixes: true });
    this.records = model.records && new RecordScorer(model.records);
    this.popularRankMax = popularRankMax;
  }
}
