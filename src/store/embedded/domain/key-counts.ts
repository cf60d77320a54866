/** Counts of the values of a page: each is looked up once, in the order of the table, and stands wherever the value stood. */
import { orderOfKeys } from './key-order.ts';
import type { Postings } from './postings.ts';
import type { ValueKey } from './value-keys.ts';

/** Places that are looked up in one step, in less than a millisecond. */
const stepPlaces = 512;

export class KeyCounts {
  /** Of each list, once all steps are done. */
  readonly counts: readonly Uint32Array[];
  readonly #keys: BigInt64Array;
  readonly #all: Uint32Array;
  /** Places of the keys, by key, a step each. */
  readonly steps: readonly Uint32Array[];

  constructor(lists: readonly BigInt64Array[]) {
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
    const order = orderOfKeys(this.#keys, length);
    this.steps = Array.from({ length: Math.ceil(length / stepPlaces) }, (_, step) =>
      order.subarray(step * stepPlaces, (step + 1) * stepPlaces),
    );
  }

  lookUp(places: Uint32Array, postings: Pick<Postings, 'countsOf'>): void {
    const keys: ValueKey[] = [];
    for (const place of places) {
      const key = this.#keys[place] as ValueKey;
      if (key !== keys.at(-1)) keys.push(key);
    }
    const counts = postings.countsOf(keys);
    let at = 0;
    for (const place of places) {
      if (this.#keys[place] !== keys[at]) at += 1;
      this.#all[place] = counts[at] as number;
    }
  }
}
