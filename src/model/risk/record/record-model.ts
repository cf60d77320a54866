/**
 * The record model: a logistic regression with a weight for each fact and one for the log-odds of the name. `record-model-file.ts`
 * defines its file format.
 */

import type { CalibrationCurve } from '../name/calibration-curve.ts';
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

export interface ThreatWeights {
  readonly base: number;
  /** The weight of the log-odds of the name. */
  readonly nameWeight: number;
  /** In the order of `facts`. */
  readonly factWeights: Float32Array;
  readonly curve: CalibrationCurve;
}

export interface RecordModel {
  readonly summary: RecordSummary;
  /** Distinct texts, as `recordFacts` produces them. */
  readonly facts: readonly string[];
  readonly threats: ByThreat<ThreatWeights>;
}
