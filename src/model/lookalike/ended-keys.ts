/**
 * A set of keys that may say yes to a stranger, arranged by the ends of the texts they are hashes of: what is looked up of one
 * label together lies together, and where no text has such ends nothing is looked up at all.
 */
import { maskOf, mixed } from './key-table.ts';

/** With three of them set for a key, one in two hundred strangers is let through. */
const bitsPerKey = 10;
const bitsPerEnds = 10;
/** So many texts have the same ends, at least. */
const textsPerEnds = 2;
/** Texts with the same ends lie in so many words. */
const regionWords = 256;
const regionShift = 32 - Math.log2(regionWords);

/** Keys of texts, and beside them the ends of each. */
export interface Ended {
  readonly keys: Int32Array;
  readonly ends: Int32Array;
}

export class EndedKeys {
  readonly isEmpty: boolean;
  readonly #words: Int32Array;
  readonly #regionMask: number;
  readonly #endsWords: Int32Array;
  readonly #endsShift: number;

  constructor(lists: readonly Ended[]) {
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
    const place = ends >>> this.#endsShift;
    this.#endsWords[place] = (this.#endsWords[place] as number) | endsMask(ends);
    const mix = mixed(key);
    const word = this.regionOf(ends) + (mix >>> regionShift);
    this.#words[word] = (this.#words[word] as number) | maskOf(mix);
  }

  /** Whether a text may have these ends. */
  hasEnds(ends: number): boolean {
    return (~(this.#endsWords[ends >>> this.#endsShift] as number) & endsMask(ends)) === 0;
  }

  /** Where the keys of texts with these ends lie. */
  regionOf(ends: number): number {
    return (ends >>> 3) & this.#regionMask;
  }

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
