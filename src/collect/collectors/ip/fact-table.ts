/** What is known about ranges of addresses, in flat arrays: they take a tenth of what objects take, and a thread can hand them over. */
import {
  AddressRangeMap,
  findAddressWords,
  type RangeColumns,
} from '../../../model/address/address-range-map.ts';

export interface AddressFacts {
  readonly asn?: number;
  readonly isp?: string;
  /** ISO 3166, two lower-case letters. */
  readonly country?: string;
}

/** Ranges of both families, whose values are indexes of facts. Equal facts are stored once, since a network has many ranges. */
export interface FactColumns {
  readonly ranges: { readonly 1: RangeColumns; readonly 4: RangeColumns };
  /** 0 where there is none. */
  readonly asns: Uint32Array<ArrayBuffer>;
  /** Two letters each, or two zeros. */
  readonly countries: Uint8Array<ArrayBuffer>;
  /** UTF-8, one after the other. */
  readonly isps: Uint8Array<ArrayBuffer>;
  readonly ispEnds: Uint32Array<ArrayBuffer>;
}

export class FactTable {
  readonly #columns: FactColumns;
  readonly #ranges;
  readonly #isps: Buffer;

  constructor(columns: FactColumns) {
    this.#columns = columns;
    this.#ranges = { 1: AddressRangeMap.of(columns.ranges[1]), 4: AddressRangeMap.of(columns.ranges[4]) };
    this.#isps = Buffer.from(columns.isps.buffer);
  }

  find(address: string): AddressFacts {
    const words = findAddressWords(address);
    const index = words && this.#ranges[words.length as 1 | 4].find(words);
    if (index === undefined) return {};
    const { asns, countries, ispEnds } = this.#columns;
    const asn = asns[index] ?? 0;
    const isp = this.#isps.toString('utf8', index === 0 ? 0 : ispEnds[index - 1], ispEnds[index]);
    const [one = 0, two = 0] = countries.subarray(2 * index, 2 * index + 2);
    return {
      ...(asn === 0 ? {} : { asn }),
      ...(isp === '' ? {} : { isp }),
      ...(one === 0 ? {} : { country: String.fromCharCode(one, two) }),
    };
  }
}
