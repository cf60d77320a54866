/** Hash table with open addressing and linear probing: a multimap from 32-bit keys to small non-negative numbers. */
import { mixed } from './word-bloom-filter.ts';

export class HashTable {
  /** Pairs of a key and its value plus one; 0 marks a free slot. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(keys: number) {
    this.#slots = new Int32Array(2 << Math.max(4, Math.ceil(Math.log2(keys * 1.5 + 1))));
    this.#mask = this.#slots.length - 2;
  }

  /** The keys must be distinct for one value. */
  add(keys: Int32Array, value: number): void {
    for (const key of keys) {
      let slot = this.begin(key);
      while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & this.#mask;
      this.#slots[slot] = key;
      this.#slots[slot + 1] = value + 1;
    }
  }

  /** The slot at which probing for a key begins. */
  begin(key: number): number {
    return (mixed(key) >>> 6) & this.#mask;
  }

  /** The next slot with this key, at or after `from`; -1 if there is none. */
  find(key: number, from: number): number {
    for (let slot = from & this.#mask; this.#slots[slot + 1] !== 0; slot = (slot + 2) & this.#mask) {
      if (this.#slots[slot] === key) return slot;
    }
    return -1;
  }

  /** The value in a slot. */
  at(slot: number): number {
    return (this.#slots[slot + 1] as number) - 1;
  }

  /** Where to continue after a slot. */
  after(slot: number): number {
    return slot + 2;
  }
}
