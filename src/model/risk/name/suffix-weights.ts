/**
 * What a public suffix adds to the log-odds of its names, for each threat. A suffix without enough ordinary names in the training data
 * has no weight. `tools/risk-model/train-suffix-weights.ts` explains how far a suffix may count against a name.
 */
import { threats } from '../threat.ts';

export interface SuffixWeights {
  /** Distinct, ascending. */
  readonly suffixes: readonly string[];
  /** For each suffix a weight for each threat. */
  readonly weights: Float32Array;
}

export type SuffixIndexes = ReadonlyMap<string, number>;

export function suffixIndexesOf({ suffixes }: SuffixWeights): SuffixIndexes {
  return new Map(suffixes.map((suffix, index) => [suffix, index * threats.length]));
}
