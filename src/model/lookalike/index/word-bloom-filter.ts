/**
 * Bloom filter (https://en.wikipedia.org/wiki/Bloom_filter), blocked: all bits of a key are in one 32-bit word, so that a
 * lookup reads one word (Putze, Sanders and Singler 2007, https://doi.org/10.1145/1498698.1594230).
 */

/** With three bits set for a key, one lookup in about two hundred is a false positive. */
const bitsPerKey = 16;
const mixer = 0x9e3779b1 | 0;

/** Multiplicative hash of a key. */
export function mixed(key: number): number {
  return Math.imul(key ^ (key >>> 15), mixer);
}

/** The three bits of a key in its word. */
export function maskOf(mixedKey: number): number {
  return (1 << mixedKey) | (1 << (mixedKey >>> 5)) | (1 << (mixedKey >>> 10));
}

export class WordBloomFilter {
  readonly #words: Int32Array;
  /** Shifting a mixed key right by this gives the index of its word. */
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

  /** Whether the key may be in the set: there are false positives, no false negatives. */
  has(key: number): boolean {
    const mix = mixed(key);
    return (~(this.#words[mix >>> this.#shift] as number) & maskOf(mix)) === 0;
  }
}
