/** What a model knows of records: a weight for each fact, and one for what the name says. `record-model-file.ts` tells how it lies in a file. */
import type { Quality } from './risk-model.ts';
import type { ScoreCurve } from './score-curve.ts';
import type { ByThreat } from './threat.ts';

export interface RecordSummary {
  readonly seed: number;
  readonly trainedOn: { readonly good: number } & ByThreat<number>;
  /** The first and the last day on which a record was looked at. */
  readonly datesFrom: string;
  readonly datesTo: string;
  /** Measured on records that the weights were not learnt from, each part of them by what the others say. */
  readonly quality: Partial<ByThreat<Quality>>;
}

export interface ThreatWeights {
  readonly base: number;
  /** Of the log-odds of the name. */
  readonly nameWeight: number;
  /** One for each fact, in the order of the facts; 0 where it says nothing. */
  readonly factWeights: Float32Array;
  readonly curve: ScoreCurve;
}

export interface RecordModel {
  readonly summary: RecordSummary;
  /** Facts as `recordFacts` words them, each once. */
  readonly facts: readonly string[];
  readonly threats: ByThreat<ThreatWeights>;
}
