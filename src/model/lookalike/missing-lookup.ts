/** Looks up a label, as it is and with characters left out, among keys that are arranged by the ends of texts. */
import type { EndedKeys } from './ended-keys.ts';
import type { LabelSums } from './label-sums.ts';
import {
  bothOut,
  innerAndThirdOut,
  innerOut,
  LabelEnds,
  lengthBit,
  noneOut,
  outerAndThirdOut,
  outerOut,
} from './text-ends.ts';

/** One character at an end: what is then at the ends, and its place, from the end where it is negative. */
const singles = [
  [outerOut, noneOut, 0],
  [innerOut, noneOut, 1],
  [noneOut, innerOut, -2],
  [noneOut, outerOut, -1],
] as const;

/** Two characters at the ends likewise. */
const pairs = [
  [outerOut, outerOut, 0, -1],
  [outerOut, innerOut, 0, -2],
  [innerOut, outerOut, 1, -1],
  [innerOut, innerOut, 1, -2],
  [bothOut, noneOut, 0, 1],
  [outerAndThirdOut, noneOut, 0, 2],
  [innerAndThirdOut, noneOut, 1, 2],
  [noneOut, bothOut, -2, -1],
  [noneOut, outerAndThirdOut, -3, -1],
  [noneOut, innerAndThirdOut, -3, -2],
] as const;

/** As columns of numbers, because the loops over them are hot. */
const column = (rows: readonly (readonly number[])[], index: number) =>
  Int8Array.from(rows, (row) => row[index] as number);
const [singleBegins, singleEnds, singleOuts] = [column(singles, 0), column(singles, 1), column(singles, 2)];
const [pairBegins, pairEnds] = [column(pairs, 0), column(pairs, 1)];
const [pairOuts, pairSeconds] = [column(pairs, 2), column(pairs, 3)];

export class MissingLookup {
  readonly #label: LabelSums;
  readonly #ends = new LabelEnds();
  readonly #found: (key: number, isTwo: boolean) => void;

  constructor(label: LabelSums, found: (key: number, isTwo: boolean) => void) {
    this.#label = label;
    this.#found = found;
  }

  /** With nothing and with one character left out. The label has at least four. */
  takeOne(keys: EndedKeys): void {
    const label = this.#label;
    const { length } = label;
    this.#ends.measure(label);
    const { beginnings, ends } = this.#ends;
    const symbols = label.places[length] as number;
    const without = lengthBit(symbols - 1) | (symbols === length ? 0 : lengthBit(symbols - 2));
    const both = (beginnings[noneOut] as number) | (ends[noneOut] as number);
    if ((keys.lengthsOf(both) & (without | lengthBit(symbols))) !== 0) {
      const region = keys.regionOf(both);
      const whole = label.whole();
      if (keys.has(region, whole)) this.#found(whole, false);
      for (let out = 2; out < length - 2; out += 1) {
        const key = label.without(out);
        if (keys.has(region, key)) this.#found(key, false);
      }
    }
    for (let single = 0; single < singleBegins.length; single += 1) {
      const there =
        (beginnings[singleBegins[single] as number] as number) |
        (ends[singleEnds[single] as number] as number);
      if ((keys.lengthsOf(there) & without) === 0) continue;
      const key = label.without(placeOf(singleOuts[single] as number, length));
      if (keys.has(keys.regionOf(there), key)) this.#found(key, false);
    }
  }

  /** With two left out, after `takeOne`. The label has at least six. */
  takeTwo(keys: EndedKeys): void {
    const label = this.#label;
    const { length } = label;
    this.#ends.measureBoth(label);
    const { beginnings, ends } = this.#ends;
    const symbols = label.places[length] as number;
    const wider = symbols === length ? 0 : lengthBit(symbols - 3) | lengthBit(symbols - 4);
    const without = lengthBit(symbols - 2) | wider;
    for (let pair = 0; pair < pairBegins.length; pair += 1) {
      const there =
        (beginnings[pairBegins[pair] as number] as number) | (ends[pairEnds[pair] as number] as number);
      if ((keys.lengthsOf(there) & without) === 0) continue;
      const out = placeOf(pairOuts[pair] as number, length);
      const key = label.withoutBoth(out, placeOf(pairSeconds[pair] as number, length));
      if (keys.has(keys.regionOf(there), key)) this.#found(key, true);
    }
    for (let single = 0; single < singleBegins.length; single += 1) {
      const there =
        (beginnings[singleBegins[single] as number] as number) |
        (ends[singleEnds[single] as number] as number);
      if ((keys.lengthsOf(there) & without) === 0) continue;
      this.#takeBeside(keys, keys.regionOf(there), placeOf(singleOuts[single] as number, length));
    }
    const both = (beginnings[noneOut] as number) | (ends[noneOut] as number);
    if ((keys.lengthsOf(both) & without) !== 0) this.#takeInner(keys, keys.regionOf(both));
  }

  /** One at an end, and one further in. */
  #takeBeside(keys: EndedKeys, region: number, place: number): void {
    const label = this.#label;
    for (let inner = 2; inner < label.length - 2; inner += 1) {
      const key = place < inner ? label.withoutBoth(place, inner) : label.withoutBoth(inner, place);
      if (keys.has(region, key)) this.#found(key, true);
    }
  }

  /** Two that are further in. */
  #takeInner(keys: EndedKeys, region: number): void {
    const label = this.#label;
    const end = label.length - 2;
    for (let out = 2; out < end - 1; out += 1) {
      for (let second = out + 1; second < end; second += 1) {
        const key = label.withoutBoth(out, second);
        if (keys.has(region, key)) this.#found(key, true);
      }
    }
  }
}

function placeOf(place: number, length: number): number {
  return place < 0 ? place + length : place;
}
