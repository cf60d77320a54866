/**
 * Looks up the deletion neighbourhood of a label (SymSpell): the label itself and what remains after deleting one or two
 * characters. The deletions are grouped by their end signature: three characters at each end decide it, so all deletions
 * further inside share one signature, and a single filter test rules most groups out before any hash is computed.
 */
import type { BloomFilter } from './bloom-filter.ts';
import {
  endSignature,
  endSignatureWithout,
  LabelEnds,
  noneOut,
  pairsOut,
  singlesOut,
} from './end-signature.ts';
import type { RollingHash } from './rolling-hash.ts';

/** In a shorter label the two ends overlap. */
const endsApartMin = 6;
/** Characters at an end that determine its signature. */
const nearEnd = 3;

/** Two deleted characters near the ends: the resulting end states, and the indexes of the characters. */
interface PairAtEnds {
  readonly begin: number;
  readonly end: number;
  /** Negative indexes count from the end. */
  readonly out: number;
  readonly second: number;
}

const pairs: readonly PairAtEnds[] = [
  ...singlesOut.flatMap((begin) => singlesOut.map((end) => ({ begin, end, out: begin - 1, second: -end }))),
  ...pairsOut.map(([begin, out, second]) => ({ begin, end: noneOut, out, second })),
  ...pairsOut.map(([end, last, other]) => ({ begin: noneOut, end, out: -1 - other, second: -1 - last })),
];
/** As columns of typed arrays, because the loop over them is hot. */
const pairBegins = Uint8Array.from(pairs, ({ begin }) => begin);
const pairEnds = Uint8Array.from(pairs, ({ end }) => end);
const pairOuts = Int8Array.from(pairs, ({ out }) => out);
const pairSeconds = Int8Array.from(pairs, ({ second }) => second);

export class DeletionNeighbourhood {
  readonly #label: RollingHash;
  readonly #ends = new LabelEnds();
  readonly #onKey: (key: number, isTwo: boolean) => void;

  constructor(label: RollingHash, onKey: (key: number, isTwo: boolean) => void) {
    this.#label = label;
    this.#onKey = onKey;
  }

  /** Looks up the label itself and its one-character deletions. */
  lookUpOneDeletion(keys: BloomFilter, codes: Uint16Array, from: number, to: number): void {
    const label = this.#label;
    const { length } = label;
    if (length < endsApartMin) {
      this.#lookUpShort(keys);
      return;
    }
    this.#ends.measure(codes, from, to);
    const { beginnings, ends } = this.#ends;
    const symbols = label.symbolCount;
    const begin = beginnings[noneOut] as number;
    const end = ends[noneOut] as number;
    const whole = endSignature(begin, end, symbols);
    if (keys.hasEnds(whole) && keys.has(keys.regionOf(whole), label.whole()))
      this.#onKey(label.whole(), false);
    // A character deleted further inside removes one symbol, or two.
    for (let width = 1; width <= (symbols === length ? 1 : 2); width += 1) {
      const signature = endSignature(begin, end, symbols - width);
      if (keys.hasEnds(signature)) this.#lookUpInner(keys, keys.regionOf(signature), width);
    }
    for (let near = 1; near <= nearEnd; near += 1) {
      const first = endSignature(beginnings[near] as number, end, symbols - label.width(near - 1));
      if (keys.hasEnds(first)) this.#lookUpAt(keys, first, near - 1);
      const last = endSignature(begin, ends[near] as number, symbols - label.width(length - near));
      if (keys.hasEnds(last)) this.#lookUpAt(keys, last, length - near);
    }
  }

  #lookUpShort(keys: BloomFilter): void {
    const label = this.#label;
    const whole = endSignatureWithout(label, label.length);
    if (keys.hasEnds(whole) && keys.has(keys.regionOf(whole), label.whole()))
      this.#onKey(label.whole(), false);
    for (let out = 0; out < label.length; out += 1) {
      const signature = endSignatureWithout(label, out);
      if (keys.hasEnds(signature)) this.#lookUpAt(keys, signature, out);
    }
  }

  #lookUpAt(keys: BloomFilter, ends: number, out: number): void {
    const key = this.#label.without(out);
    if (keys.has(keys.regionOf(ends), key)) this.#onKey(key, false);
  }

  #lookUpInner(keys: BloomFilter, region: number, width: number): void {
    const label = this.#label;
    for (let out = nearEnd; out < label.length - nearEnd; out += 1) {
      if (label.width(out) !== width) continue;
      const key = label.without(out);
      if (keys.has(region, key)) this.#onKey(key, false);
    }
  }

  /** Looks up the two-character deletions of a label of at least ten characters, after `lookUpOneDeletion`. */
  lookUpTwoDeletions(keys: BloomFilter, codes: Uint16Array, from: number, to: number): void {
    const label = this.#label;
    const { length } = label;
    this.#ends.measurePairs(codes, from, to);
    const { beginnings, ends } = this.#ends;
    const symbols = label.symbolCount;
    for (let pair = 0; pair < pairBegins.length; pair += 1) {
      const out = indexIn(pairOuts[pair] as number, length);
      const second = indexIn(pairSeconds[pair] as number, length);
      const left = symbols - label.width(out) - label.width(second);
      const signature = endSignature(
        beginnings[pairBegins[pair] as number] as number,
        ends[pairEnds[pair] as number] as number,
        left,
      );
      if (keys.hasEnds(signature)) this.#lookUpBoth(keys, keys.regionOf(signature), out, second);
    }
    const widest = symbols === length ? 1 : 2;
    const [begin, end] = [beginnings[noneOut] as number, ends[noneOut] as number];
    for (let width = 1; width <= widest; width += 1) {
      for (let near = 1; near <= nearEnd; near += 1) {
        const first = endSignature(beginnings[near] as number, end, symbols - label.width(near - 1) - width);
        if (keys.hasEnds(first)) this.#lookUpSeconds(keys, keys.regionOf(first), near - 1);
        const last = endSignature(begin, ends[near] as number, symbols - label.width(length - near) - width);
        if (keys.hasEnds(last)) this.#lookUpFirsts(keys, keys.regionOf(last), length - near);
      }
    }
    for (let both = 2; both <= 2 * widest; both += 1) {
      const signature = endSignature(begin, end, symbols - both);
      if (!keys.hasEnds(signature)) continue;
      const region = keys.regionOf(signature);
      for (let out = nearEnd; out < length - nearEnd - 1; out += 1)
        this.#lookUpFrom(keys, region, out, out + 1);
    }
  }

  #lookUpBoth(keys: BloomFilter, region: number, out: number, second: number): void {
    this.#label.preparePairs();
    const key = this.#label.withoutBoth(out, second);
    if (keys.has(region, key)) this.#onKey(key, true);
  }

  /** One character near the beginning, and each one further inside. */
  #lookUpSeconds(keys: BloomFilter, region: number, out: number): void {
    this.#lookUpFrom(keys, region, out, nearEnd);
  }

  #lookUpFrom(keys: BloomFilter, region: number, out: number, from: number): void {
    const label = this.#label;
    label.preparePairs();
    const beginning = label.first(out);
    const seconds = label.seconds(out);
    for (let second = from; second < label.length - nearEnd; second += 1) {
      const key = (beginning + (seconds[second] as number)) | 0;
      if (keys.has(region, key)) this.#onKey(key, true);
    }
  }

  /** Each character further inside, and one near the end. */
  #lookUpFirsts(keys: BloomFilter, region: number, second: number): void {
    for (let out = nearEnd; out < this.#label.length - nearEnd; out += 1)
      this.#lookUpBoth(keys, region, out, second);
  }
}

function indexIn(index: number, length: number): number {
  return index < 0 ? index + length : index;
}
