import { threats } from '../threat.ts';

/** Names with their features, as many as there is room for: what trees are grown on, and scores are fitted to. */
export class FeatureRows {
  readonly features: Float32Array;
  /** The index of each row's name. */
  readonly names: Int32Array;
  /** What the weights of the suffix said, for each threat. */
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
