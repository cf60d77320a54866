/** All that scores domains: what a model knows of names and, where it learnt them, of records; and from which rank on a domain is good. */
import { NameScorer } from './name-scorer.ts';
import { RecordScorer } from './record-scorer.ts';
import type { RiskModel } from './risk-model.ts';

export class RiskScorer {
  readonly names: NameScorer;
  readonly records: RecordScorer | undefined;
  /** A domain of at least this popularity is taken for good; 0: none is. */
  readonly popularRankMax: number;

  constructor(model: RiskModel, { popularRankMax }: { readonly popularRankMax: number }) {
    this.names = new NameScorer(model, { doubtsSuffixes: true });
    this.records = model.records && new RecordScorer(model.records);
    this.popularRankMax = popularRankMax;
  }
}
