/** The counts of all values of a page: each distinct key is looked up once, in key order, and its count goes to all of its positions. */

import type { ValueKey } from '../value-keys.ts';

/** Keys per step, which takes less than a millisecond. */
const usualStepKeys = 512;

/** Counts that are known already. */
export interface KnownCounts {
  /** Of the key with these halves; -1 where it is not known. */
  find(low: number, high: number): number;
}

export class KeyCounts {
  /** One array per list, filled by `finish`. */
  readonly counts: readonly Uint32Array[];
  readonly #all: Uint32Array;
  /** Distinct keys, and their count where it is known. */
  readonly #keys: BigInt64Array<ArrayBuffer>;
  readonly #halves: Int32Array;
  readonly #found: Float64Array;
  /** Of each position the index of its key. */
  readonly #indexes: Uint32Array;
  /** An open-addressed hash table of indexes, plus 1. Keys are hashes, so their lower bits serve as one. */
  readonly #slots: Uint32Array;
  #distinct = 0;

  constructor(lists: readonly BigInt64Array[]) {
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    this.#keys = new BigInt64Array(length);
    this.#halves = new Int32Array(this.#keys.buffer);
    this.#indexes = new Uint32Array(length);
    this.#all = new Uint32Array(length);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(length * 2 + 2)));
    let end = 0;
    this.counts = lists.map((list) => {
      const from = end;
      end += list.length;
      this.#add(list, from);
      return this.#all.subarray(from, end);
    });
    this.#found = new Float64Array(this.#distinct).fill(-1);
  }

  takeKnown(known: KnownCounts): void {
    for (let index = 0; index < this.#distinct; index += 1)
      this.#found[index] = known.find(
        this.#halves[index * 2] as number,
        this.#halves[index * 2 + 1] as number,
      );
  }

  /** The distinct keys without a count, in order. */
  listUnknown(stepKeys = usualStepKeys): readonly (readonly ValueKey[])[] {
    const unknown = this.#keys.slice(0, this.#distinct);
    let count = 0;
    for (let index = 0; index < this.#distinct; index += 1) {
      if ((this.#found[index] as number) >= 0) continue;
      unknown[count] = this.#keys[index] as ValueKey;
      count += 1;
    }
    const ordered = unknown.subarray(0, count).sort();
    return Array.from({ length: Math.ceil(count / stepKeys) }, (_, step) =>
      Array.from(ordered.subarray(step * stepKeys, (step + 1) * stepKeys)),
    );
  }

  put(keys: readonly ValueKey[], counts: ArrayLike<number>): void {
    for (let at = 0; at < keys.length; at += 1) {
      wholeKey[0] = keys[at] as ValueKey;
      const slot = this.#slotOf(keyHalves[0] as number, keyHalves[1] as number);
      this.#found[(this.#slots[slot] as number) - 1] = counts[at] as number;
    }
  }

  /** Once all counts are known. */
  finish(): readonly Uint32Array[] {
    for (let position = 0; position < this.#all.length; position += 1)
      this.#all[position] = this.#found[this.#indexes[position] as number] as number;
    return this.counts;
  }

  #add(list: BigInt64Array, from: number): void {
    const halves = new Int32Array(list.buffer, list.byteOffset, list.length * 2);
    for (let at = 0; at < list.length; at += 1) {
      const [low, high] = [halves[at * 2] as number, halves[at * 2 + 1] as number];
      const slot = this.#slotOf(low, high);
      if (this.#slots[slot] === 0) {
        this.#halves[this.#distinct * 2] = low;
        this.#halves[this.#distinct * 2 + 1] = high;
        this.#distinct += 1;
        this.#slots[slot] = this.#distinct;
      }
      this.#indexes[from + at] = (this.#slots[slot] as number) - 1;
    }
  }

  /** That of the key, or the empty one where it belongs. */
  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] as number) - 1) * 2;
      if (at < 0 || (this.#halves[at] === low && this.#halves[at + 1] === high)) return slot;
    }
  }
}

/** The lower half first, as in memory. */
const keyHalves = new Int32Array(2);
const wholeKey = new BigInt64Array(keyHalves.buffer);
