/**
 * The three symbols at each end of a folded text, and its length. Whatever is left out of a label, its ends become some of a
 * few; where no term has such ends, none of the many hashes is made, and where one has they are all looked up nearby.
 */
import { secondShift, symbolMask } from './fold.ts';
import type { LabelSums } from './label-sums.ts';

const endSymbols = 3;
const symbolBits = 5;
const endMask = (1 << (endSymbols * symbolBits)) - 1;
const [beginMixer, endMixer, lengthMixer] = [0x9e3779b1 | 0, 0x85ebca6b | 0, 0x27d4eb2f];

/** As one number, from what is at the ends, already multiplied, and the length. */
export function endsOf(beginning: number, end: number, length: number): number {
  const mixed = beginning ^ end ^ Math.imul(length, lengthMixer);
  return Math.imul(mixed ^ (mixed >>> 15), beginMixer);
}

export function textEnds(symbols: string): number {
  let [beginning, end] = [0, 0];
  for (let at = 0; at < endSymbols && at < symbols.length; at += 1) {
    beginning |= symbols.charCodeAt(at) << (at * symbolBits);
    end |= symbols.charCodeAt(symbols.length - 1 - at) << (at * symbolBits);
  }
  return endsOf(Math.imul(beginning, beginMixer), Math.imul(end, endMixer), symbols.length);
}

/**
 * Which characters are left out at an end, counted from there, as places in the lists below: none, one of three, or two of
 * which both change what is there.
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
/** With the two that are left out. */
export const pairsOut = [
  [4, 0, 1],
  [5, 0, 2],
  [6, 0, 3],
  [7, 1, 2],
  [8, 1, 3],
  [9, 2, 3],
] as const;
const firstPairOut = pairsOut[0][0];
const keptPlaces = Uint8Array.from(kept.flat());

/** What is at the ends of a label without some of the characters there, multiplied for `endsOf`. */
export class LabelEnds {
  readonly beginnings = new Int32Array(kept.length);
  readonly ends = new Int32Array(kept.length);

  /** Of a label with at least six characters, as it is and without one of three at an end. */
  measure(codes: Uint16Array, from: number, to: number): void {
    this.#measure(codes, from, to, noneOut, firstPairOut);
  }

  /** Of one with at least ten, without two at the same end. */
  measurePairs(codes: Uint16Array, from: number, to: number): void {
    this.#measure(codes, from, to, firstPairOut, kept.length);
  }

  #measure(codes: Uint16Array, from: number, to: number, begin: number, count: number): void {
    for (let which = begin; which < count; which += 1) {
      const first = keptPlaces[which * endSymbols] as number;
      const second = keptPlaces[which * endSymbols + 1] as number;
      const third = keptPlaces[which * endSymbols + 2] as number;
      const beginning = together(
        codes[from + first] as number,
        codes[from + second] as number,
        codes[from + third] as number,
      );
      const end = together(
        backwards(codes[to - 1 - first] as number),
        backwards(codes[to - 1 - second] as number),
        backwards(codes[to - 1 - third] as number),
      );
      this.beginnings[which] = Math.imul(beginning, beginMixer);
      this.ends[which] = Math.imul(end, endMixer);
    }
  }
}

/** The first symbols of three characters. */
function together(first: number, second: number, third: number): number {
  const firstBits = first >> secondShift === 0 ? symbolBits : 2 * symbolBits;
  const bothBits = firstBits + (second >> secondShift === 0 ? symbolBits : 2 * symbolBits);
  return (first | (second << firstBits) | (third << bothBits)) & endMask;
}

function backwards(code: number): number {
  const second = code >> secondShift;
  return second === 0 ? code : second | ((code & symbolMask) << symbolBits);
}

/** The same as `textEnds` of a label without one character, or without none where there is no such place. */
export function endsWithout({ symbols, places, length }: LabelSums, out: number): number {
  const all = places[length] as number;
  const from = out < length ? (places[out] as number) : all;
  const width = out < length ? (places[out + 1] as number) - from : 0;
  let [beginning, end] = [0, 0];
  for (let at = 0; at < endSymbols && at < all - width; at += 1) {
    const last = all - width - 1 - at;
    beginning |= (symbols[at < from ? at : at + width] as number) << (at * symbolBits);
    end |= (symbols[last < from ? last : last + width] as number) << (at * symbolBits);
  }
  return endsOf(Math.imul(beginning, beginMixer), Math.imul(end, endMixer), all - width);
}
