/** Prefix hashes of one label, from which the hash after deleting one or two characters follows in constant time. */
import { secondShift, symbolMask } from '../fold/fold.ts';
import { plainSeed, shiftFactors, symbolsMax, withSymbol } from './polynomial-hash.ts';

export const labelLengthMax = symbolsMax / 2;

export class RollingHash {
  /** In characters. */
  length = 0;
  readonly symbols = new Uint8Array(symbolsMax + 2);
  /** By character: the index of its first symbol, and the hash of everything before it. One more entry for the end. */
  readonly offsets = new Uint8Array(labelLengthMax + 1);
  readonly prefixHashes = new Int32Array(labelLengthMax + 1);

  /** The hash without two characters is the hash of a contribution of the first and one of the second, by the first's width. */
  readonly #firstContributions = new Int32Array(labelLengthMax);
  readonly #secondsAfterNarrow = new Int32Array(labelLengthMax);
  readonly #secondsAfterWide = new Int32Array(labelLengthMax);
  #hasPairs = false;

  /** Computes the prefix hashes of a range of character codes. */
  measure(codes: Uint16Array, from: number, to: number): void {
    const { symbols, offsets, prefixHashes } = this;
    let count = 0;
    let hash = plainSeed;
    for (let at = from; at < to; at += 1) {
      const code = codes[at] as number;
      const second = code >> secondShift;
      offsets[at - from] = count;
      prefixHashes[at - from] = hash;
      symbols[count] = code & symbolMask;
      hash = withSymbol(hash, code & symbolMask, count++);
      if (second === 0) continue;
      symbols[count] = second;
      hash = withSymbol(hash, second, count++);
    }
    this.length = to - from;
    this.#hasPairs = false;
    offsets[this.length] = count;
    prefixHashes[this.length] = hash;
  }

  get symbolCount(): number {
    return this.offsets[this.length] as number;
  }

  /** The number of symbols of a character: 1 or 2. */
  width(at: number): number {
    return (this.offsets[at + 1] as number) - (this.offsets[at] as number);
  }

  whole(): number {
    return this.prefixHashes[this.length] as number;
  }

  /** The hash without one character. */
  without(out: number): number {
    const { offsets, prefixHashes } = this;
    const width = (offsets[out + 1] as number) - (offsets[out] as number);
    const rest = ((prefixHashes[this.length] as number) - (prefixHashes[out + 1] as number)) | 0;
    return ((prefixHashes[out] as number) + Math.imul(rest, shiftFactors[width] as number)) | 0;
  }

  /** Must be called before the methods below; idempotent for one label. */
  preparePairs(): void {
    if (this.#hasPairs) return;
    this.#hasPairs = true;
    const { offsets, prefixHashes, length } = this;
    const all = prefixHashes[length] as number;
    for (let at = 0; at < length; at += 1) {
      const width = (offsets[at + 1] as number) - (offsets[at] as number);
      const before = prefixHashes[at] as number;
      const rest = (all - (prefixHashes[at + 1] as number)) | 0;
      this.#firstContributions[at] =
        before - Math.imul(prefixHashes[at + 1] as number, shiftFactors[width] as number);
      this.#secondsAfterNarrow[at] =
        Math.imul(before, shiftFactors[1] as number) + Math.imul(rest, shiftFactors[1 + width] as number);
      this.#secondsAfterWide[at] =
        Math.imul(before, shiftFactors[2] as number) + Math.imul(rest, shiftFactors[2 + width] as number);
    }
  }

  /** The contribution of the first of two deleted characters to the hash. */
  first(out: number): number {
    return this.#firstContributions[out] as number;
  }

  /** The contributions of each second character, given the first. */
  seconds(out: number): Int32Array {
    const isNarrow = (this.offsets[out + 1] as number) - (this.offsets[out] as number) === 1;
    return isNarrow ? this.#secondsAfterNarrow : this.#secondsAfterWide;
  }

  withoutBoth(out: number, second: number): number {
    return (this.first(out) + (this.seconds(out)[second] as number)) | 0;
  }
}
