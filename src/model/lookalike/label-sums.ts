/** The sums of one label, from which its hashes without some characters come. */
import { secondShift, symbolMask } from './fold.ts';
import { movings, plainSeed, symbolsMax, withSymbol } from './symbol-sums.ts';

export const labelLengthMax = symbolsMax / 2;

export class LabelSums {
  /** In characters. */
  length = 0;
  readonly symbols = new Uint8Array(symbolsMax + 2);
  /** Of each character: where its symbols begin, and the sum of all before. Behind the last, of all. */
  readonly places = new Uint8Array(labelLengthMax + 1);
  readonly sums = new Int32Array(labelLengthMax + 1);

  /** The hash without two characters is a sum of one number for the first, and one by its width for the second. */
  readonly #befores = new Int32Array(labelLengthMax);
  readonly #behindNarrow = new Int32Array(labelLengthMax);
  readonly #behindWide = new Int32Array(labelLengthMax);
  #hasPairs = false;

  /** From codes of characters. */
  measure(codes: Uint16Array, from: number, to: number): void {
    const { symbols, places, sums } = this;
    let place = 0;
    let sum = plainSeed;
    for (let at = from; at < to; at += 1) {
      const code = codes[at] as number;
      const second = code >> secondShift;
      places[at - from] = place;
      sums[at - from] = sum;
      symbols[place] = code & symbolMask;
      sum = withSymbol(sum, code & symbolMask, place++);
      if (second === 0) continue;
      symbols[place] = second;
      sum = withSymbol(sum, second, place++);
    }
    this.length = to - from;
    this.#hasPairs = false;
    places[this.length] = place;
    sums[this.length] = sum;
  }

  get symbolCount(): number {
    return this.places[this.length] as number;
  }

  /** The number of symbols of a character. */
  width(at: number): number {
    return (this.places[at + 1] as number) - (this.places[at] as number);
  }

  whole(): number {
    return this.sums[this.length] as number;
  }

  /** The hash without one character. */
  without(out: number): number {
    const { places, sums } = this;
    const width = (places[out + 1] as number) - (places[out] as number);
    const rest = ((sums[this.length] as number) - (sums[out + 1] as number)) | 0;
    return ((sums[out] as number) + Math.imul(rest, movings[width] as number)) | 0;
  }

  /** Prepares the functions below, for labels that need them. */
  preparePairs(): void {
    if (this.#hasPairs) return;
    this.#hasPairs = true;
    const { places, sums, length } = this;
    const all = sums[length] as number;
    for (let at = 0; at < length; at += 1) {
      const width = (places[at + 1] as number) - (places[at] as number);
      const before = sums[at] as number;
      const rest = (all - (sums[at + 1] as number)) | 0;
      this.#befores[at] = before - Math.imul(sums[at + 1] as number, movings[width] as number);
      this.#behindNarrow[at] =
        Math.imul(before, movings[1] as number) + Math.imul(rest, movings[1 + width] as number);
      this.#behindWide[at] =
        Math.imul(before, movings[2] as number) + Math.imul(rest, movings[2 + width] as number);
    }
  }

  /** What the first of two that are left out brings to the hash. */
  first(out: number): number {
    return this.#befores[out] as number;
  }

  /** What each second brings. */
  seconds(out: number): Int32Array {
    const isNarrow = (this.places[out + 1] as number) - (this.places[out] as number) === 1;
    return isNarrow ? this.#behindNarrow : this.#behindWide;
  }

  withoutBoth(out: number, second: number): number {
    return (this.first(out) + (this.seconds(out)[second] as number)) | 0;
  }
}
