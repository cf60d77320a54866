/** What is filed under a key: bits that say no at once, and an open table behind them. */

/** With so many bits for a key and three of them set, one in two hundred strangers is let through to the table. */
const bitsPerKey = 16;
const mixer = 0x9e3779b1 | 0;

export function mixed(key: number): number {
  return Math.imul(key ^ (key >>> 15), mixer);
}

/** All bits of a key are in the same word: one look tells. */
export function maskOf(mixedKey: number): number {
  return (1 << mixedKey) | (1 << (mixedKey >>> 5)) | (1 << (mixedKey >>> 10));
}

/** A set of keys that may say yes to a stranger. */
export class KeyBits {
  readonly #words: Int32Array;
  /** How far a mixed key is shifted to become the number of a word. */
  readonly #shift: number;

  constructor(keys: number) {
    const log = Math.max(5, Math.ceil(Math.log2((keys * bitsPerKey) / 32 + 1)));
    this.#words = new Int32Array(1 << log);
    this.#shift = 32 - log;
  }

  add(keys: Int32Array): void {
    for (const key of keys) {
      const mix = mixed(key);
      const word = mix >>> this.#shift;
      this.#words[word] = (this.#words[word] as number) | maskOf(mix);
    }
  }

  has(key: number): boolean {
    const mix = mixed(key);
    return (~(this.#words[mix >>> this.#shift] as number) & maskOf(mix)) === 0;
  }
}

export class KeyTable {
  /** Keys, and beside each one more than what is filed; 0 is free. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(keys: number) {
    this.#slots = new Int32Array(2 << Math.max(4, Math.ceil(Math.log2(keys * 1.5 + 1))));
    this.#mask = this.#slots.length - 2;
  }

  /** Each key once for the same number. */
  add(keys: Int32Array, filed: number): void {
    for (const key of keys) {
      let slot = this.begin(key);
      while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & this.#mask;
      this.#slots[slot] = key;
      this.#slots[slot + 1] = filed + 1;
    }
  }

  /** Where to begin to look for a key. */
  begin(key: number): number {
    return (mixed(key) >>> 6) & this.#mask;
  }

  /** The place of the next that is filed under a key, from a place on; -1 when there is none. */
  find(key: number, from: number): number {
    for (let slot = from & this.#mask; this.#slots[slot + 1] !== 0; slot = (slot + 2) & this.#mask) {
      if (this.#slots[slot] === key) return slot;
    }
    return -1;
  }

  at(place: number): number {
    return (this.#slots[place + 1] as number) - 1;
  }

  /** Where to go on behind a place. */
  behind(place: number): number {
    return place + 2;
  }
}
