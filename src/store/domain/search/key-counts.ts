/** The counts of all values of a page: each distinct key is looked up once, in key order, and its count goes to all of its positions. */

import type { ValueKey } from '../value-keys.ts';
import { sortedIndexes } from './radix-sort.ts';

/** Positions per step, which takes less than a millisecond. */
const usualStepPositions = 512;

export class KeyCounts {
  /** One array per list, filled once all steps are done. */
  readonly counts: readonly Uint32Array[];
  readonly #keys: BigInt64Array;
  readonly #all: Uint32Array;
  /** Positions in key order, one array per step. */
  readonly steps: readonly Uint32Array[];

  constructor(lists: readonly BigInt64Array[], stepPositions = usualStepPositions) {
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    this.#keys = new BigInt64Array(length);
    this.#all = new Uint32Array(length);
    let end = 0;
    this.counts = lists.map((list) => {
      const from = end;
      this.#keys.set(list, from);
      end += list.length;
      return this.#all.subarray(from, end);
    });
    const order = sortedIndexes(this.#keys, length);
    this.steps = Array.from({ length: Math.ceil(length / stepPositions) }, (_, step) =>
      order.subarray(step * stepPositions, (step + 1) * stepPositions),
    );
  }

  lookUp(positions: Uint32Array, postings: { countsOf(keys: readonly ValueKey[]): readonly number[] }): void {
    const keys = this.keysAt(positions);
    this.fill(positions, keys, postings.countsOf(keys));
  }

  /** The distinct keys of a step, in order. */
  keysAt(positions: Uint32Array): readonly ValueKey[] {
    const keys: ValueKey[] = [];
    for (const position of positions) {
      const key = this.#keys[position] as ValueKey;
      if (key !== keys.at(-1)) keys.push(key);
    }
    return keys;
  }

  fill(positions: Uint32Array, keys: readonly ValueKey[], counts: ArrayLike<number>): void {
    let at = 0;
    for (const position of positions) {
      if (this.#keys[position] !== keys[at]) at += 1;
      this.#all[position] = counts[at] as number;
    }
  }
}
