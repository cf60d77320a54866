/**
 * Parses files of address ranges, `first,last,fields…`, byte by byte: there are a million lines. Addresses are text or decimal
 * numbers. Headings and comments are skipped.
 */
import { type AddressWords, findAddressWords } from '../../../model/address/address-range-map.ts';

/** The arrays are reused after the call returns. */
export type OnRange = (first: AddressWords, last: AddressWords, rest: string) => void;

const [newline, comma, digit0, digit9] = [0x0a, 0x2c, 0x30, 0x39];
const restBytesMax = 1024;
const fieldBytesMax = 64;
const addresses4 = 2 ** 32;

/** `width`: words of an address where numbers are all of one family; otherwise a number that fits IPv4 is IPv4. */
export function readRangeLines(bytes: Buffer, width: 1 | 4 | undefined, onRange: OnRange): void {
  const [first, last] = [new NumberField(width), new NumberField(width)];
  for (let at = 0; at < bytes.length; ) {
    const newlineAt = bytes.indexOf(newline, at);
    const end = newlineAt < 0 ? bytes.length : newlineAt;
    const lastAt = first.read(bytes, at, end);
    const restAt = lastAt < 0 ? -1 : last.read(bytes, lastAt, end);
    const [from, to] = [first.words, last.words];
    if (restAt >= 0 && from && from.length === to?.length && end - restAt <= restBytesMax) {
      onRange(from, to, bytes.toString('latin1', restAt, end));
    }
    at = end + 1;
  }
}

const limbs = 8;

/** An address at the start of a line or after a comma. */
class NumberField {
  readonly #width: 1 | 4 | undefined;
  readonly #limbs = new Uint16Array(limbs);
  readonly #one = new Uint32Array(1);
  readonly #four = new Uint32Array(4);
  words: AddressWords | undefined;

  constructor(width: 1 | 4 | undefined) {
    this.#width = width;
  }

  /** Returns the offset after the comma that ends the field; -1 where there is none. */
  read(bytes: Buffer, from: number, end: number): number {
    let at = from;
    let isNumber = true;
    while (at < end && bytes[at] !== comma) {
      const byte = bytes[at] as number;
      if (byte < digit0 || byte > digit9) isNumber = false;
      at += 1;
    }
    this.words = undefined;
    if (at === end || at === from || at - from > fieldBytesMax) return -1;
    this.words = isNumber
      ? this.#number(bytes, from, at)
      : findAddressWords(bytes.toString('latin1', from, at).trim());
    return at + 1;
  }

  #number(bytes: Buffer, from: number, end: number): AddressWords | undefined {
    // Up to 15 digits a double is exact.
    if (end - from <= 15 && this.#width !== 4) {
      let number = 0;
      for (let at = from; at < end; at += 1) number = number * 10 + (bytes[at] as number) - digit0;
      if (number < addresses4) {
        this.#one[0] = number;
        return this.#one;
      }
    }
    return this.#width === 1 ? undefined : this.#long(bytes, from, end);
  }

  /** Up to 128 bits in 16-bit limbs, four digits at a time, so that no product exceeds the exact range of a double. */
  #long(bytes: Buffer, from: number, end: number): AddressWords | undefined {
    const parts = this.#limbs.fill(0);
    for (let at = from; at < end; ) {
      let [carry, factor] = [0, 1];
      for (const stop = Math.min(at + 4, end); at < stop; at += 1, factor *= 10)
        carry = carry * 10 + (bytes[at] as number) - digit0;
      for (let limb = limbs - 1; limb >= 0; limb -= 1) {
        const product = (parts[limb] as number) * factor + carry;
        parts[limb] = product;
        carry = product >>> 16;
      }
      if (carry > 0) return undefined;
    }
    for (let word = 0; word < 4; word += 1)
      this.#four[word] = (parts[2 * word] as number) * 0x1_0000 + (parts[2 * word + 1] as number);
    return this.#four;
  }
}

/** The fields of a CSV line; a quoted field may contain commas and doubled quotes. */
export function splitCsvLine(text: string): readonly string[] {
  const fields: string[] = [];
  for (const [, quoted, plain] of `,${text}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  return fields;
}
