/**
 * Ranges of addresses and what is said of each, as numbers in flat arrays: a million of them take some twenty megabytes and are searched by
 * halves. Ranges may lie within one another or overlap; of those that hold an address, the one that begins last counts.
 */
import { ipv6Bytes, putIpv4, putIpv6 } from './dns/ip-address.ts';

/** An address as one word of 32 bits, or four, the most significant first. */
export type AddressWords = Uint32Array;

const bytes = new Uint8Array(ipv6Bytes);
const view = new DataView(bytes.buffer);

/** Undefined for what is no address. */
export function findAddressWords(text: string): AddressWords | undefined {
  if (putIpv4(text, 0, bytes, 0)) return Uint32Array.of(view.getUint32(0));
  if (!putIpv6(text, bytes, 0)) return undefined;
  return Uint32Array.of(view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12));
}

const firstCapacity = 1024;

export class AddressRanges {
  readonly #width: 1 | 4;
  #firsts: Uint32Array;
  #lasts: Uint32Array;
  #values: Uint32Array;
  /** For each, the nearest one before it that ends later; -1 for none. */
  #outer = new Int32Array(firstCapacity);
  #isInOrder = true;
  size = 0;

  /** For addresses of so many words. */
  constructor(width: 1 | 4) {
    this.#width = width;
    this.#firsts = new Uint32Array(firstCapacity * width);
    this.#lasts = new Uint32Array(firstCapacity * width);
    this.#values = new Uint32Array(firstCapacity);
  }

  /** One that ends before it begins holds nothing. */
  add(first: AddressWords, last: AddressWords, value: number): void {
    if (compare(first, 0, last, 0, this.#width) > 0) return;
    if (this.size === this.#values.length) this.#grow();
    const at = this.size * this.#width;
    this.#firsts.set(first, at);
    this.#lasts.set(last, at);
    this.#values[this.size] = value;
    if (this.size > 0 && compare(this.#firsts, at - this.#width, first, 0, this.#width) > 0)
      this.#isInOrder = false;
    if (this.#isInOrder) this.#link(this.size);
    this.size += 1;
  }

  /** When all are there, before any is searched. */
  finish(): void {
    if (!this.#isInOrder) this.#sort();
    this.#firsts = this.#firsts.slice(0, this.size * this.#width);
    this.#lasts = this.#lasts.slice(0, this.size * this.#width);
    this.#values = this.#values.slice(0, this.size);
    this.#outer = this.#outer.slice(0, this.size);
  }

  find(address: AddressWords): number | undefined {
    const width = this.#width;
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.#firsts, middle * width, address, 0, width) <= 0) low = middle + 1;
      else high = middle;
    }
    let index = low - 1;
    while (index >= 0 && compare(this.#lasts, index * width, address, 0, width) < 0)
      index = this.#outer[index] as number;
    return index < 0 ? undefined : this.#values[index];
  }

  #link(index: number): void {
    let outer = index - 1;
    while (outer >= 0 && this.#compareLasts(outer, index) <= 0) outer = this.#outer[outer] as number;
    this.#outer[index] = outer;
  }

  #compareLasts(one: number, other: number): number {
    return compare(this.#lasts, one * this.#width, this.#lasts, other * this.#width, this.#width);
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

  /** By where they begin; of those that begin together the longer one first. */
  #sort(): void {
    const width = this.#width;
    const order = Array.from({ length: this.size }, (_, index) => index).sort(
      (one, other) =>
        compare(this.#firsts, one * width, this.#firsts, other * width, width) ||
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
}

function compare(one: Uint32Array, at: number, other: Uint32Array, from: number, width: number): number {
  for (let word = 0; word < width; word += 1) {
    const difference = (one[at + word] as number) - (other[from + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
