/**
 * The two symbols at each end of a folded text, and its length. Whatever is left out of a label, its ends become some of a
 * few; where no term has such ends, none of the many hashes is made, and where one has they are all looked up nearby.
 */
import type { LabelSums } from './label-sums.ts';

const symbolBits = 5;
const endBits = 2 * symbolBits;
const bothBits = 2 * endBits;
const lengthMask = 7;

function beginningOf(first: number, second: number): number {
  return first | (second << symbolBits);
}

function endOf(beforeLast: number, last: number): number {
  return (beforeLast | (last << symbolBits)) << endBits;
}

/** Lengths that differ by as many bits as there are share one. */
export function lengthBit(length: number): number {
  return 1 << (length & lengthMask);
}

/** As one number; zero symbols stand where a text is too short. */
export function textEnds(symbols: string): number {
  const { length } = symbols;
  const at = (place: number) => (place >= 0 && place < length ? symbols.charCodeAt(place) : 0);
  const ends = beginningOf(at(0), at(1)) | endOf(at(length - 2), at(length - 1));
  return ends | ((length & lengthMask) << bothBits);
}

export function endsAlone(ends: number): number {
  return ends & ((1 << bothBits) - 1);
}

export function lengthBitOf(ends: number): number {
  return 1 << (ends >>> bothBits);
}

/** Which of the three characters at an end are left out. */
export const noneOut = 0;
export const outerOut = 1;
export const innerOut = 2;
export const bothOut = 3;
export const outerAndThirdOut = 4;
export const innerAndThirdOut = 5;

/** What is at the ends of a label without some of the characters there. It has at least four, or with third ones out six. */
export class LabelEnds {
  readonly beginnings = new Int32Array(6);
  readonly ends = new Int32Array(6);

  measure({ symbols, places, length }: LabelSums): void {
    const { beginnings, ends } = this;
    const [second, third] = [places[1] as number, places[2] as number];
    const whole = beginningOf(symbols[0] as number, symbols[1] as number);
    beginnings[noneOut] = whole;
    beginnings[outerOut] = beginningOf(symbols[second] as number, symbols[second + 1] as number);
    beginnings[innerOut] = second === 2 ? whole : beginningOf(symbols[0] as number, symbols[third] as number);
    const all = places[length] as number;
    const [last, beforeLast] = [places[length - 1] as number, places[length - 2] as number];
    const wholeEnd = endOf(symbols[all - 2] as number, symbols[all - 1] as number);
    ends[noneOut] = wholeEnd;
    ends[outerOut] = endOf(symbols[last - 2] as number, symbols[last - 1] as number);
    ends[innerOut] =
      all - last === 2 ? wholeEnd : endOf(symbols[beforeLast - 1] as number, symbols[all - 1] as number);
  }

  /** The same for two of the three characters at one end. */
  measureBoth({ symbols, places, length }: LabelSums): void {
    const { beginnings, ends } = this;
    const [second, third, fourth] = [places[1] as number, places[2] as number, places[3] as number];
    beginnings[bothOut] = beginningOf(symbols[third] as number, symbols[third + 1] as number);
    beginnings[outerAndThirdOut] =
      third - second === 2
        ? (beginnings[outerOut] as number)
        : beginningOf(symbols[second] as number, symbols[fourth] as number);
    beginnings[innerAndThirdOut] =
      second === 2
        ? (beginnings[noneOut] as number)
        : beginningOf(symbols[0] as number, symbols[fourth] as number);
    const all = places[length] as number;
    const [last, beforeLast, thirdLast] = [
      places[length - 1] as number,
      places[length - 2] as number,
      places[length - 3] as number,
    ];
    ends[bothOut] = endOf(symbols[beforeLast - 2] as number, symbols[beforeLast - 1] as number);
    ends[outerAndThirdOut] =
      last - beforeLast === 2
        ? (ends[outerOut] as number)
        : endOf(symbols[thirdLast - 1] as number, symbols[last - 1] as number);
    ends[innerAndThirdOut] =
      all - last === 2
        ? (ends[noneOut] as number)
        : endOf(symbols[thirdLast - 1] as number, symbols[all - 1] as number);
  }
}
