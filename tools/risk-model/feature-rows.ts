import { threats } from '../../src/model/risk/threat.ts';

/** The feature matrix: a bounded number of names with their features, for training the trees and the calibration. */
export class FeatureRows {
  readonly features: Float32Array;
  /** By row: the index of the name in the training set. */
  readonly names: Int32Array;
  /** By row and threat: the log-odds of the suffix. */
  readonly suffixes: Float32Array;
  readonly #width: number;
  #count = 0;

  constructor(rowsMax: number, width: number) {
    this.features = new Float32Array(rowsMax * width);
    this.names = new Int32Array(rowsMax);
    this.suffixes = new Float32Array(rowsMax * threats.length);
    this.#width = width;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.names.length;
  }

  add(name: number, features: Float32Array, suffixes: Float32Array): void {
    this.features.set(features, this.#count * this.#width);
    this.suffixes.set(suffixes, this.#count * threats.length);
    this.names[this.#count++] = name;
  }

  row(row: number): Float32Array {
    return this.features.subarray(row * this.#width, (row + 1) * this.#width);
  }
}
