/**
 * A set of keys that may say yes to a stranger, arranged by the ends of the texts they are hashes of: the keys of a label that
 * are looked up together lie together, so that most are in the fastest memory.
 */
import { endsAlone, lengthBitOf } from './text-ends.ts';

/** With three of them set for a key, one in two hundred strangers is let through. */
const bitsPerKey = 10;
const regionWords = 256;
/** So many texts have the same ends, about. */
const keysPerEnds = 4;
const regionShift = 32 - Math.log2(regionWords);
const mixer = 0x9e3779b1 | 0;

/** Keys of texts, and beside them the ends of each. */
export interface Ended {
  readonly keys: Int32Array;
  readonly ends: Int32Array;
}

export class EndedKeys {
  readonly isEmpty: boolean;
  readonly #words: Int32Array;
  readonly #regionMask: number;
  /** By ends, mixed: bits of the lengths. */
  readonly #lengths: Uint8Array;
  readonly #lengthsShift: number;

  constructor(lists: readonly Ended[]) {
    let count = 0;
    for (const { keys } of lists) count += keys.length;
    this.isEmpty = count === 0;
    const log = Math.max(Math.log2(regionWords), Math.ceil(Math.log2((count * bitsPerKey) / 32 + 1)));
    this.#words = new Int32Array(1 << log);
    this.#regionMask = this.#words.length - regionWords;
    const lengthsLog = Math.max(4, Math.ceil(Math.log2(count / keysPerEnds + 1)));
    this.#lengths = new Uint8Array(1 << lengthsLog);
    this.#lengthsShift = 32 - lengthsLog;
    for (const { keys, ends } of lists)
      for (let at = 0; at < keys.length; at += 1) this.#add(keys[at] as number, ends[at] as number);
  }

  #add(key: number, ends: number): void {
    const alone = endsAlone(ends);
    const place = Math.imul(alone, mixer) >>> this.#lengthsShift;
    this.#lengths[place] = (this.#lengths[place] as number) | lengthBitOf(ends);
    const mix = Math.imul(key ^ (key >>> 15), mixer);
    const word = this.regionOf(alone) + (mix >>> regionShift);
    this.#words[word] = (this.#words[word] as number) | maskOf(mix);
  }

  /** The lengths that texts with these ends may have. */
  lengthsOf(ends: number): number {
    return this.#lengths[Math.imul(ends, mixer) >>> this.#lengthsShift] as number;
  }

  /** Where the keys of texts with these ends lie. */
  regionOf(ends: number): number {
    return (Math.imul(ends ^ (ends >>> 10), mixer) >>> 4) & this.#regionMask;
  }

  has(region: number, key: number): boolean {
    const mix = Math.imul(key ^ (key >>> 15), mixer);
    return (~(this.#words[region + (mix >>> regionShift)] as number) & maskOf(mix)) === 0;
  }
}

/** All bits of a key are in the same word: one look tells. */
function maskOf(mixed: number): number {
  return (1 << mixed) | (1 << (mixed >>> 5)) | (1 << (mixed >>> 10));
}
