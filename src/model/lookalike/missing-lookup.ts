/** Looks up a label, as it is and with characters left out, among keys that are arranged by the ends of texts. */
import type { EndedKeys } from './ended-keys.ts';
import type { LabelSums } from './label-sums.ts';
import { endsOf, endsWithout, LabelEnds, noneOut, pairsOut, singlesOut } from './text-ends.ts';

/** In a shorter label what is near the beginning is near the end too. */
const endsApartMin = 6;
/** How many characters at an end make the symbols there. */
const nearEnd = 3;

/** Two characters, one near each end or both near the same: what is then at the ends, and where they are. */
interface PairAtEnds {
  readonly begin: number;
  readonly end: number;
  /** From the end where it is negative. */
  readonly out: number;
  readonly second: number;
}

const pairs: readonly PairAtEnds[] = [
  ...singlesOut.flatMap((begin) => singlesOut.map((end) => ({ begin, end, out: begin - 1, second: -end }))),
  ...pairsOut.map(([begin, out, second]) => ({ begin, end: noneOut, out, second })),
  ...pairsOut.map(([end, last, other]) => ({ begin: noneOut, end, out: -1 - other, second: -1 - last })),
];
/** As columns of numbers, because the loop over them is hot. */
const pairBegins = Uint8Array.from(pairs, ({ begin }) => begin);
const pairEnds = Uint8Array.from(pairs, ({ end }) => end);
const pairOuts = Int8Array.from(pairs, ({ out }) => out);
const pairSeconds = Int8Array.from(pairs, ({ second }) => second);

export class MissingLookup {
  readonly #label: LabelSums;
  readonly #ends = new LabelEnds();
  readonly #found: (key: number, isTwo: boolean) => void;

  constructor(label: LabelSums, found: (key: number, isTwo: boolean) => void) {
    this.#label = label;
    this.#found = found;
  }

  /** With nothing and with one character left out. */
  takeOne(keys: EndedKeys, codes: Uint16Array, from: number, to: number): void {
    const label = this.#label;
    const { length } = label;
    if (length < endsApartMin) {
      this.#takeShort(keys);
      return;
    }
    this.#ends.measure(codes, from, to);
    const { beginnings, ends } = this.#ends;
    const symbols = label.symbolCount;
    const begin = beginnings[noneOut] as number;
    const end = ends[noneOut] as number;
    const whole = endsOf(begin, end, symbols);
    if (keys.hasEnds(whole) && keys.has(keys.regionOf(whole), label.whole()))
      this.#found(label.whole(), false);
    // What is left out further in is one symbol, or two.
    for (let width = 1; width <= (symbols === length ? 1 : 2); width += 1) {
      const there = endsOf(begin, end, symbols - width);
      if (keys.hasEnds(there)) this.#takeInner(keys, keys.regionOf(there), width);
    }
    for (let near = 1; near <= nearEnd; near += 1) {
      const first = endsOf(beginnings[near] as number, end, symbols - label.width(near - 1));
      if (keys.hasEnds(first)) this.#takeAt(keys, first, near - 1);
      const last = endsOf(begin, ends[near] as number, symbols - label.width(length - near));
      if (keys.hasEnds(last)) this.#takeAt(keys, last, length - near);
    }
  }

  #takeShort(keys: EndedKeys): void {
    const label = this.#label;
    const whole = endsWithout(label, label.length);
    if (keys.hasEnds(whole) && keys.has(keys.regionOf(whole), label.whole()))
      this.#found(label.whole(), false);
    for (let out = 0; out < label.length; out += 1) {
      const there = endsWithout(label, out);
      if (keys.hasEnds(there)) this.#takeAt(keys, there, out);
    }
  }

  #takeAt(keys: EndedKeys, ends: number, out: number): void {
    const key = this.#label.without(out);
    if (keys.has(keys.regionOf(ends), key)) this.#found(key, false);
  }

  #takeInner(keys: EndedKeys, region: number, width: number): void {
    const label = this.#label;
    for (let out = nearEnd; out < label.length - nearEnd; out += 1) {
      if (label.width(out) !== width) continue;
      const key = label.without(out);
      if (keys.has(region, key)) this.#found(key, false);
    }
  }

  /** With two left out, after `takeOne`. The label has at least ten characters. */
  takeTwo(keys: EndedKeys, codes: Uint16Array, from: number, to: number): void {
    const label = this.#label;
    const { length } = label;
    this.#ends.measurePairs(codes, from, to);
    const { beginnings, ends } = this.#ends;
    const symbols = label.symbolCount;
    for (let pair = 0; pair < pairBegins.length; pair += 1) {
      const out = placeOf(pairOuts[pair] as number, length);
      const second = placeOf(pairSeconds[pair] as number, length);
      const left = symbols - label.width(out) - label.width(second);
      const there = endsOf(
        beginnings[pairBegins[pair] as number] as number,
        ends[pairEnds[pair] as number] as number,
        left,
      );
      if (keys.hasEnds(there)) this.#takeBoth(keys, keys.regionOf(there), out, second);
    }
    const widest = symbols === length ? 1 : 2;
    const [begin, end] = [beginnings[noneOut] as number, ends[noneOut] as number];
    for (let width = 1; width <= widest; width += 1) {
      for (let near = 1; near <= nearEnd; near += 1) {
        const first = endsOf(beginnings[near] as number, end, symbols - label.width(near - 1) - width);
        if (keys.hasEnds(first)) this.#takeSeconds(keys, keys.regionOf(first), near - 1);
        const last = endsOf(begin, ends[near] as number, symbols - label.width(length - near) - width);
        if (keys.hasEnds(last)) this.#takeFirsts(keys, keys.regionOf(last), length - near);
      }
    }
    for (let both = 2; both <= 2 * widest; both += 1) {
      const there = endsOf(begin, end, symbols - both);
      if (!keys.hasEnds(there)) continue;
      const region = keys.regionOf(there);
      for (let out = nearEnd; out < length - nearEnd - 1; out += 1)
        this.#takeFrom(keys, region, out, out + 1);
    }
  }

  #takeBoth(keys: EndedKeys, region: number, out: number, second: number): void {
    this.#label.preparePairs();
    const key = this.#label.withoutBoth(out, second);
    if (keys.has(region, key)) this.#found(key, true);
  }

  /** One near the beginning, and each further in. */
  #takeSeconds(keys: EndedKeys, region: number, out: number): void {
    this.#takeFrom(keys, region, out, nearEnd);
  }

  #takeFrom(keys: EndedKeys, region: number, out: number, from: number): void {
    const label = this.#label;
    label.preparePairs();
    const beginning = label.first(out);
    const seconds = label.seconds(out);
    for (let second = from; second < label.length - nearEnd; second += 1) {
      const key = (beginning + (seconds[second] as number)) | 0;
      if (keys.has(region, key)) this.#found(key, true);
    }
  }

  /** Each further in, and one near the end. */
  #takeFirsts(keys: EndedKeys, region: number, second: number): void {
    for (let out = nearEnd; out < this.#label.length - nearEnd; out += 1)
      this.#takeBoth(keys, region, out, second);
  }
}

function placeOf(place: number, length: number): number {
  return place < 0 ? place + length : place;
}
