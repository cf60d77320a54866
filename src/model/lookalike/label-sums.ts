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
    places[this.length] = place;
    sums[this.length] = sum;
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

  /** The hash without two, the second behind the first. */
  withoutBoth(out: number, second: number): number {
    const { places, sums } = this;
    const width = (places[out + 1] as number) - (places[out] as number);
    const both = width + (places[second + 1] as number) - (places[second] as number);
    const middle = ((sums[second] as number) - (sums[out + 1] as number)) | 0;
    const rest = ((sums[this.length] as number) - (sums[second + 1] as number)) | 0;
    const beginning = ((sums[out] as number) + Math.imul(middle, movings[width] as number)) | 0;
    return (beginning + Math.imul(rest, movings[both] as number)) | 0;
  }
}
