/** Everything that a risk model knows; `model-file.ts` tells how it lies in a file. */
import type { BinEdges } from './feature-bins.ts';
import type { Cells } from './group-sums.ts';
import type { RecordModel } from './record-model.ts';
import type { ScoreCurve } from './score-curve.ts';
import type { SuffixTrust } from './suffix-trust.ts';
import type { ByThreat } from './threat.ts';
import type { TreeEnsemble } from './tree-ensemble.ts';

/** How well a model tells bad names from good ones. */
export interface Quality {
  readonly bad: number;
  readonly good: number;
  readonly auc: number;
  /** The share of bad names found when so many of the good ones, in percent, are taken for bad. */
  readonly foundAt: Readonly<Record<'0.1' | '0.35' | '1', number>>;
}

export interface ModelSummary {
  readonly seed: number;
  readonly trainedOn: { readonly good: number } & ByThreat<number>;
  /** The first and the last day of names that had one: the model is as old as its newest name. */
  readonly datesFrom?: string;
  readonly datesTo?: string;
  /** Only names dated before this day were used. */
  readonly before?: string;
  /** Measured on the names that training leaves out, where there are enough. */
  readonly quality: Partial<ByThreat<Quality>>;
}

export interface RiskModel {
  readonly summary: ModelSummary;
  readonly letters: Uint8Array;
  readonly edges: BinEdges;
  /** A weight for each bucket of pieces of names and each threat, as whole steps. */
  readonly cells: Cells & { readonly values: Int8Array };
  readonly trees: ByThreat<TreeEnsemble>;
  readonly suffixTrust: SuffixTrust;
  readonly curves: ByThreat<ScoreCurve>;
  /** What it knows of records; absent where it learnt of names alone. */
  readonly records?: RecordModel;
}
