/** The record model: for each threat a weight for each fact, from a logistic regression. `record-model-file.ts` defines its file format. */

import type { Quality } from '../name/name-model.ts';
import type { ByThreat } from '../threat.ts';

export interface RecordSummary {
  readonly seed: number;
  readonly trainedOn: { readonly good: number } & ByThreat<number>;
  /** The first and the last day on which a record was observed. */
  readonly datesFrom: string;
  readonly datesTo: string;
  /** Measured by cross-validation. */
  readonly quality: Partial<ByThreat<Quality>>;
}

export interface RecordModel {
  readonly summary: RecordSummary;
  /** Distinct texts, as `recordFacts` produces them. */
  readonly facts: readonly string[];
  /** In log-odds, in the order of `facts`. */
  readonly weights: ByThreat<Float32Array>;
}
