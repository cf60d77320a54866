/**
 * Bloom filter in front of the deletion keys (blocked, see `word-bloom-filter.ts`), in two levels: first a filter of the end
 * signatures of the texts, then a filter of the keys, partitioned into regions by end signature. All lookups for one label
 * touch the same 1 KiB region, and where no text has such ends no key is computed at all.
 */
import { maskOf, mixed } from './word-bloom-filter.ts';

/** Three bits are set for a key, which gives one false positive in about two hundred lookups. */
const bitsPerKey = 10;
const bitsPerEnds = 10;
/** Estimated lower bound of texts that share an end signature. */
const textsPerEnds = 2;
const regionWords = 256;
const regionShift = 32 - Math.log2(regionWords);

/** Keys of texts, and the end signature of each. */
export interface KeysWithEnds {
  readonly keys: Int32Array;
  readonly ends: Int32Array;
}

export class BloomFilter {
  readonly isEmpty: boolean;
  readonly #words: Int32Array;
  readonly #regionMask: number;
  readonly #endsWords: Int32Array;
  readonly #endsShift: number;

  constructor(lists: readonly KeysWithEnds[]) {
    let count = 0;
    for (const { keys } of lists) count += keys.length;
    this.isEmpty = count === 0;
    this.#words = wordsFor(Math.max(count * bitsPerKey, regionWords * 32));
    this.#regionMask = this.#words.length - regionWords;
    this.#endsWords = wordsFor((count / textsPerEnds) * bitsPerEnds);
    this.#endsShift = 32 - Math.log2(this.#endsWords.length);
    for (const { keys, ends } of lists) {
      for (let at = 0; at < keys.length; at += 1) this.#add(keys[at] as number, ends[at] as number);
    }
  }

  #add(key: number, ends: number): void {
    const endsWord = ends >>> this.#endsShift;
    this.#endsWords[endsWord] = (this.#endsWords[endsWord] as number) | endsMask(ends);
    const mix = mixed(key);
    const word = this.regionOf(ends) + (mix >>> regionShift);
    this.#words[word] = (this.#words[word] as number) | maskOf(mix);
  }

  /** Whether a text may have this end signature. */
  hasEnds(ends: number): boolean {
    return (~(this.#endsWords[ends >>> this.#endsShift] as number) & endsMask(ends)) === 0;
  }

  /** The first word of the region that holds the keys of texts with this end signature. */
  regionOf(ends: number): number {
    return (ends >>> 3) & this.#regionMask;
  }

  /** Whether the key may be in the set: there are false positives, no false negatives. */
  has(region: number, key: number): boolean {
    const mix = mixed(key);
    return (~(this.#words[region + (mix >>> regionShift)] as number) & maskOf(mix)) === 0;
  }
}

function wordsFor(bits: number): Int32Array {
  return new Int32Array(1 << Math.max(4, Math.ceil(Math.log2(bits / 32 + 1))));
}

function endsMask(ends: number): number {
  return (1 << ends) | (1 << (ends >>> 5));
}
