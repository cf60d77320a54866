/**
 * Maps ranges of IP addresses to numbers, in flat arrays with binary search: a million ranges take some twenty megabytes. Ranges may be
 * nested or overlap; of those that contain an address, the one that starts last counts.
 */
import { ipv6Bytes, putIpv4, putIpv6 } from '../dns/ip-address.ts';

/** An address as one word of 32 bits, or four, the most significant first. */
export type AddressWords = Uint32Array;

const bytes = new Uint8Array(ipv6Bytes);
const view = new DataView(bytes.buffer);

/** Undefined for an invalid address. */
export function findAddressWords(text: string): AddressWords | undefined {
  if (putIpv4(text, 0, bytes, 0)) return Uint32Array.of(view.getUint32(0));
  if (!putIpv6(text, bytes, 0)) return undefined;
  return Uint32Array.of(view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12));
}

/** A finished map, for instance to be handed over by a thread. */
export interface RangeColumns {
  readonly width: 1 | 4;
  readonly firsts: Uint32Array<ArrayBuffer>;
  readonly lasts: Uint32Array<ArrayBuffer>;
  readonly values: Uint32Array<ArrayBuffer>;
  readonly outer: Int32Array<ArrayBuffer>;
}

const initialCapacity = 1024;

export class AddressRangeMap {
  readonly #width: 1 | 4;
  #firsts: Uint32Array<ArrayBuffer>;
  #lasts: Uint32Array<ArrayBuffer>;
  #values: Uint32Array<ArrayBuffer>;
  /** For each range the nearest one before it that ends later; -1 for none. */
  #outer: Int32Array<ArrayBuffer>;
  #isSorted = true;
  size = 0;

  /** `width` is the number of words of an address: 1 for IPv4, 4 for IPv6. */
  constructor(width: 1 | 4, capacity = initialCapacity) {
    this.#width = width;
    this.#firsts = new Uint32Array(capacity * width);
    this.#lasts = new Uint32Array(capacity * width);
    this.#values = new Uint32Array(capacity);
    this.#outer = new Int32Array(capacity);
  }

  /** A range that ends before it starts is ignored. */
  add(first: AddressWords, last: AddressWords, value: number): void {
    if (this.#compare(first, 0, last, 0) > 0) return;
    if (this.size === this.#values.length) this.#grow();
    const at = this.size * this.#width;
    this.#firsts.set(first, at);
    this.#lasts.set(last, at);
    this.#values[this.size] = value;
    if (this.size > 0 && this.#compare(this.#firsts, at - this.#width, first, 0) > 0) this.#isSorted = false;
    if (this.#isSorted) this.#link(this.size);
    this.size += 1;
  }

  static of({ width, firsts, lasts, values, outer }: RangeColumns): AddressRangeMap {
    const map = new AddressRangeMap(width, 0);
    map.#firsts = firsts;
    map.#lasts = lasts;
    map.#values = values;
    map.#outer = outer;
    map.size = values.length;
    return map;
  }

  /** To be called after the last `add` and before the first `find`. */
  finish(): RangeColumns {
    if (!this.#isSorted) this.#sort();
    this.#firsts = this.#firsts.slice(0, this.size * this.#width);
    this.#lasts = this.#lasts.slice(0, this.size * this.#width);
    this.#values = this.#values.slice(0, this.size);
    this.#outer = this.#outer.slice(0, this.size);
    const [firsts, lasts, values, outer] = [this.#firsts, this.#lasts, this.#values, this.#outer];
    return { width: this.#width, firsts, lasts, values, outer };
  }

  find(address: AddressWords): number | undefined {
    const width = this.#width;
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#firsts, middle * width, address, 0) <= 0) low = middle + 1;
      else high = middle;
    }
    let index = low - 1;
    while (index >= 0 && this.#compare(this.#lasts, index * width, address, 0) < 0)
      index = this.#outer[index] as number;
    return index < 0 ? undefined : this.#values[index];
  }

  #link(index: number): void {
    let outer = index - 1;
    while (outer >= 0 && this.#compareLasts(outer, index) <= 0) outer = this.#outer[outer] as number;
    this.#outer[index] = outer;
  }

  #compareLasts(one: number, other: number): number {
    return this.#compare(this.#lasts, one * this.#width, this.#lasts, other * this.#width);
  }

  #grow(): void {
    const grown = (words: Uint32Array | Int32Array) => {
      const larger = new Uint32Array(words.length * 2);
      larger.set(words);
      return larger;
    };
    this.#firsts = grown(this.#firsts);
    this.#lasts = grown(this.#lasts);
    this.#values = grown(this.#values);
    this.#outer = new Int32Array(grown(this.#outer).buffer);
  }

  /** By start; of ranges with the same start the longer one first. */
  #sort(): void {
    const width = this.#width;
    const order = Array.from({ length: this.size }, (_, index) => index).sort(
      (one, other) =>
        this.#compare(this.#firsts, one * width, this.#firsts, other * width) ||
        -this.#compareLasts(one, other) ||
        one - other,
    );
    const inOrder = (words: Uint32Array, each: number) => {
      const sorted = new Uint32Array(words.length);
      for (const [to, from] of order.entries())
        sorted.set(words.subarray(from * each, (from + 1) * each), to * each);
      return sorted;
    };
    this.#firsts = inOrder(this.#firsts, width);
    this.#lasts = inOrder(this.#lasts, width);
    this.#values = inOrder(this.#values, 1);
    for (let index = 0; index < this.size; index += 1) this.#link(index);
  }

  #compare(one: Uint32Array, at: number, other: Uint32Array, from: number): number {
    for (let word = 0; word < this.#width; word += 1) {
      const difference = (one[at + word] as number) - (other[from + word] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
