/** The feature matrix: a bounded number of names with their features, for training the trees and the calibration. */
export class FeatureRows {
  readonly features: Float32Array;
  /** By row: the index of the name in the training set. */
  readonly names: Int32Array;
  readonly #width: number;
  #count = 0;

  constructor(rowsMax: number, width: number) {
    this.features = new Float32Array(rowsMax * width);
    this.names = new Int32Array(rowsMax);
    this.#width = width;
  }

  get count(): number {
    return this.#count;
  }

  /** The most rows that it can have. */
  get room(): number {
    return this.names.length;
  }

  add(name: number, features: Float32Array): void {
    this.features.set(features, this.#count * this.#width);
    this.names[this.#count++] = name;
  }

  row(row: number): Float32Array {
    return this.features.subarray(row * this.#width, (row + 1) * this.#width);
  }
}
