/**
 * End signature: a hash of the first three symbols, the last three symbols and the length of a folded text. All the deletions of
 * a label have only a few distinct signatures, so testing those first avoids computing most of the deletion hashes.
 */
import { secondShift, symbolMask } from '../fold/fold.ts';
import type { RollingHash } from './rolling-hash.ts';

const endSymbols = 3;
const symbolBits = 5;
const endMask = (1 << (endSymbols * symbolBits)) - 1;
const [beginMixer, endMixer, lengthMixer] = [0x9e3779b1 | 0, 0x85ebca6b | 0, 0x27d4eb2f];

/** From both ends, each already multiplied by its mixer, and the length. */
export function endSignature(beginning: number, end: number, length: number): number {
  const mixed = beginning ^ end ^ Math.imul(length, lengthMixer);
  return Math.imul(mixed ^ (mixed >>> 15), beginMixer);
}

export function textEndSignature(symbols: string): number {
  let [beginning, end] = [0, 0];
  for (let at = 0; at < endSymbols && at < symbols.length; at += 1) {
    beginning |= symbols.charCodeAt(at) << (at * symbolBits);
    end |= symbols.charCodeAt(symbols.length - 1 - at) << (at * symbolBits);
  }
  return endSignature(Math.imul(beginning, beginMixer), Math.imul(end, endMixer), symbols.length);
}

/**
 * Which characters are deleted at an end, as indexes of `kept`: none, one of three, or two that both affect the signature.
 * `kept` holds the characters that remain, counted from the end in question.
 */
export const noneOut = 0;
const kept = [
  [0, 1, 2],
  [1, 2, 3],
  [0, 2, 3],
  [0, 1, 3],
  [2, 3, 4],
  [1, 3, 4],
  [1, 2, 4],
  [0, 3, 4],
  [0, 2, 4],
  [0, 1, 4],
] as const;
export const singlesOut = [1, 2, 3] as const;
/** The index in `kept`, and the two characters deleted. */
export const pairsOut = [
  [4, 0, 1],
  [5, 0, 2],
  [6, 0, 3],
  [7, 1, 2],
  [8, 1, 3],
  [9, 2, 3],
] as const;
const firstPairOut = pairsOut[0][0];
const keptIndexes = Uint8Array.from(kept.flat());

/** The ends of a label after each possible deletion there, multiplied for `endSignature`. */
export class LabelEnds {
  readonly beginnings = new Int32Array(kept.length);
  readonly ends = new Int32Array(kept.length);

  /** For a label of at least six characters: unchanged, and with one of three characters deleted at an end. */
  measure(codes: Uint16Array, from: number, to: number): void {
    this.#measure(codes, from, to, noneOut, firstPairOut);
  }

  /** For a label of at least ten characters: with two characters deleted at the same end. */
  measurePairs(codes: Uint16Array, from: number, to: number): void {
    this.#measure(codes, from, to, firstPairOut, kept.length);
  }

  #measure(codes: Uint16Array, from: number, to: number, begin: number, count: number): void {
    for (let which = begin; which < count; which += 1) {
      const first = keptIndexes[which * endSymbols] as number;
      const second = keptIndexes[which * endSymbols + 1] as number;
      const third = keptIndexes[which * endSymbols + 2] as number;
      const beginning = packed(
        codes[from + first] as number,
        codes[from + second] as number,
        codes[from + third] as number,
      );
      const end = packed(
        swappedSymbols(codes[to - 1 - first] as number),
        swappedSymbols(codes[to - 1 - second] as number),
        swappedSymbols(codes[to - 1 - third] as number),
      );
      this.beginnings[which] = Math.imul(beginning, beginMixer);
      this.ends[which] = Math.imul(end, endMixer);
    }
  }
}

/** The first three symbols of three characters. */
function packed(first: number, second: number, third: number): number {
  const firstBits = first >> secondShift === 0 ? symbolBits : 2 * symbolBits;
  const bothBits = firstBits + (second >> secondShift === 0 ? symbolBits : 2 * symbolBits);
  return (first | (second << firstBits) | (third << bothBits)) & endMask;
}

function swappedSymbols(code: number): number {
  const second = code >> secondShift;
  return second === 0 ? code : second | ((code & symbolMask) << symbolBits);
}

/** `textEndSignature` of a label without the character at `out`, or of the whole label if `out` is its length. */
export function endSignatureWithout({ symbols, offsets, length }: RollingHash, out: number): number {
  const all = offsets[length] as number;
  const from = out < length ? (offsets[out] as number) : all;
  const width = out < length ? (offsets[out + 1] as number) - from : 0;
  let [beginning, end] = [0, 0];
  for (let at = 0; at < endSymbols && at < all - width; at += 1) {
    const last = all - width - 1 - at;
    beginning |= (symbols[at < from ? at : at + width] as number) << (at * symbolBits);
    end |= (symbols[last < from ? last : last + width] as number) << (at * symbolBits);
  }
  return endSignature(Math.imul(beginning, beginMixer), Math.imul(end, endMixer), all - width);
}
