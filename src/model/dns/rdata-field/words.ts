/**
 * Tokenizes the presentation form of rdata into words, as ranges in its UTF-8 bytes: separated by white space, or in double
 * quotes. Comments and parentheses belong to zone files and are not handled here.
 */
import { backslash } from '../escape.ts';
import type { WireName } from '../rrset.ts';

const [quote, equals, space] = [0x22, 0x3d, 0x20];
/** More than any number, address or mnemonic needs. */
const shortWordMax = 80;

export class Words {
  readonly source: Buffer;
  /** The origin of names without a final dot; undefined when they are absolute. */
  readonly origin: WireName | undefined;
  /** The current word is source[start, end), with its escapes, without its quotes. */
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

  /** Moves to the next word; false when there is none, or a quote is not closed. */
  next(): boolean {
    if (this.areOver) return false;
    if (this.source[this.#at] === quote) return this.#nextQuoted();
    this.start = this.#at;
    this.end = this.#plainEnd(this.#at, -1);
    this.#at = this.end;
    return true;
  }

  /** Moves to the key of `key`, `key=value` or `key="value"`; `value` then moves to its value, which may be empty. */
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
    if (this.source[this.#at] === quote) return this.#nextQuoted() && this.#isAtSpace();
    this.start = this.#at;
    this.end = this.#plainEnd(this.#at, -1);
    this.#at = this.end;
    return true;
  }

  /** The next word as text; undefined when there is none, or it is longer than any short word. */
  nextShort(): string | undefined {
    return this.next() ? this.short() : undefined;
  }

  /** The current word as text. */
  short(): string | undefined {
    if (this.end - this.start > shortWordMax) return undefined;
    // In ASCII, indices in the text and in its bytes are the same, and slicing the text is cheaper than decoding bytes.
    return this.source.length === this.#text.length
      ? this.#text.slice(this.start, this.end)
      : this.source.toString('latin1', this.start, this.end);
  }

  /** All remaining words, joined. */
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

  /** The end of an unquoted word: at white space or at `stop`. */
  #plainEnd(from: number, stop: number): number {
    let offset = from;
    while (offset < this.source.length) {
      const byte = this.source[offset] as number;
      if (isSpace(byte) || byte === stop) return offset;
      offset += byte === backslash ? 2 : 1;
    }
    return this.source.length;
  }

  #nextQuoted(): boolean {
    let offset = this.#at + 1;
    while (offset < this.source.length && this.source[offset] !== quote) {
      offset += this.source[offset] === backslash ? 2 : 1;
    }
    if (offset >= this.source.length) {
      // Nothing can follow an unclosed quote.
      return false;
    }
    this.start = this.#at + 1;
    this.end = offset;
    this.#at = offset + 1;
    return true;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
