/** The contents of a risk model; `name-model-file.ts` defines its file format. */

import type { RecordModel } from '../record/record-model.ts';
import type { ByThreat } from '../threat.ts';
import type { CalibrationCurve } from './calibration-curve.ts';
import type { BinEdges } from './feature-bins.ts';
import type { WeightTable } from './hashed-weights.ts';
import type { SingleWords } from './single-words.ts';
import type { SuffixWeights } from './suffix-weights.ts';
import type { TreeEnsemble } from './tree-ensemble.ts';

/** How well a model separates bad names from good ones. */
export interface Quality {
  readonly bad: number;
  readonly good: number;
  readonly auc: number;
  /** The true positive rate at these false positive rates, in percent. */
  readonly foundAt: Readonly<Record<'0.1' | '0.35' | '1', number>>;
}

export interface ModelSummary {
  readonly seed: number;
  readonly trainedOn: { readonly good: number } & ByThreat<number>;
  /** The first and the last date among the names that have one: the model is as old as its newest name. */
  readonly datesFrom?: string;
  readonly datesTo?: string;
  /** If set, only names dated before this day were used. */
  readonly before?: string;
  /** Measured on the held-out names, if there are enough. */
  readonly quality: Partial<ByThreat<Quality>>;
}

export interface RiskModel {
  readonly summary: ModelSummary;
  readonly letters: Uint8Array;
  readonly edges: BinEdges;
  /** A quantized weight for each bucket of hashed n-grams and each threat. */
  readonly cells: WeightTable & { readonly values: Int8Array };
  readonly trees: ByThreat<TreeEnsemble>;
  readonly singleWords: SingleWords;
  readonly suffixes: SuffixWeights;
  readonly curves: ByThreat<CalibrationCurve>;
  /** Absent in a model that was trained on names only. */
  readonly records?: RecordModel;
}
