/** A loaded risk model, ready to score domains: the name model, the record model if there is one, and the rules of zero-listing. */

import type { RiskModel } from './name/name-model.ts';
import { NameScorer, type NameScorerOptions } from './name/name-scorer.ts';
import { RecordScorer } from './record/record-scorer.ts';
import type { ZerolistRules } from './zerolist.ts';

export interface RiskScorerOptions {
  readonly popularRankMax: ZerolistRules['popularRankMax'];
  readonly wellKnown?: ZerolistRules['wellKnown'];
  readonly prior?: NameScorerOptions['prior'];
  /** Identifies the model and the settings that decide a score: another version scores stored records again. */
  readonly version?: number;
}

export class RiskScorer implements ZerolistRules {
  readonly names: NameScorer;
  readonly records: RecordScorer | undefined;
  readonly popularRankMax: number;
  readonly wellKnown: ReadonlySet<string>;
  readonly version: number;

  constructor(model: RiskModel, { popularRankMax, wellKnown, prior, version }: RiskScorerOptions) {
    this.names = new NameScorer(model, { prior });
    this.records = model.records && new RecordScorer(model.records);
    this.popularRankMax = popularRankMax;
    this.wellKnown = wellKnown ?? new Set();
    this.version = version ?? 0;
  }
}
