/**
 * The words of a presentation text, one after the other, as ranges in its UTF-8 bytes: parted by white space, or in double
 * quotes. Comments and parentheses belong to zone files and are not known here.
 */
import { backslash } from '../escape.ts';
import type { WireName } from '../rrset.ts';

const [quote, equals, space] = [0x22, 0x3d, 0x20];
/** More than any number, address or mnemonic needs. */
const shortWordMax = 80;

export class Words {
  readonly source: Buffer;
  /** What names without a final dot are below; undefined when they are whole. */
  readonly origin: WireName | undefined;
  /** The word taken last is source[start, end), still with its escapes, without its quotes. */
  start = 0;
  end = 0;
  readonly #text: string;
  #at = 0;

  constructor(text: string, origin?: WireName) {
    this.source = Buffer.from(text);
    this.#text = text;
    this.origin = origin;
  }

  get areOver(): boolean {
    this.#skipSpace();
    return this.#at >= this.source.length;
  }

  /** Takes the next word; false when there is none, or a quote without its other half. */
  next(): boolean {
    if (this.areOver) return false;
    if (this.source[this.#at] === quote) return this.#takeQuoted();
    this.start = this.#at;
    this.end = this.#plainEnd(this.#at, -1);
    this.#at = this.end;
    return true;
  }

  /** Takes `key`, `key=value` or `key="value"`: first the key; what `value` then takes may be empty. */
  nextKey(): boolean {
    if (this.areOver) return false;
    this.start = this.#at;
    this.end = this.#plainEnd(this.#at, equals);
    this.#at = this.end;
    return this.end > this.start;
  }

  value(): boolean {
    this.start = this.end;
    if (this.source[this.#at] !== equals) return true;
    this.#at += 1;
    if (this.source[this.#at] === quote) return this.#takeQuoted() && this.#isAtSpace();
    this.start = this.#at;
    this.end = this.#plainEnd(this.#at, -1);
    this.#at = this.end;
    return true;
  }

  /** The next word as text; undefined when there is none, or one too long for what it can be. */
  nextShort(): string | undefined {
    return this.next() ? this.short() : undefined;
  }

  /** The word taken last as text. */
  short(): string | undefined {
    if (this.end - this.start > shortWordMax) return undefined;
    // Within ASCII the places in the text are those in its bytes, and to cut it there is cheaper than to decode.
    return this.source.length === this.#text.length
      ? this.#text.slice(this.start, this.end)
      : this.source.toString('latin1', this.start, this.end);
  }

  /** All words that are left, in one. */
  rest(): Uint8Array | undefined {
    if (this.areOver) return new Uint8Array(0);
    if (!this.next()) return undefined;
    const first = this.source.subarray(this.start, this.end);
    if (this.areOver) return first;
    const joined = new Uint8Array(this.source.length);
    joined.set(first);
    let length = first.length;
    while (!this.areOver) {
      if (!this.next()) return undefined;
      joined.set(this.source.subarray(this.start, this.end), length);
      length += this.end - this.start;
    }
    return joined.subarray(0, length);
  }

  #skipSpace(): void {
    while (isSpace(this.source[this.#at])) this.#at += 1;
  }

  #isAtSpace(): boolean {
    return this.#at >= this.source.length || isSpace(this.source[this.#at]);
  }

  /** Where the word ends that is not quoted, at white space or at `stop`. */
  #plainEnd(from: number, stop: number): number {
    let place = from;
    while (place < this.source.length) {
      const byte = this.source[place] as number;
      if (isSpace(byte) || byte === stop) return place;
      place += byte === backslash ? 2 : 1;
    }
    return this.source.length;
  }

  #takeQuoted(): boolean {
    let place = this.#at + 1;
    while (place < this.source.length && this.source[place] !== quote) {
      place += this.source[place] === backslash ? 2 : 1;
    }
    if (place >= this.source.length) {
      // Nothing can follow a quote that never ends.
      return false;
    }
    this.start = this.#at + 1;
    this.end = place;
    this.#at = place + 1;
    return true;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
