/** A cursor over DER elements that decodes nothing. No element extends beyond its parent, whatever its length field says. */
const [tagNumberMask, lengthMask, longForm] = [0x1f, 0x7f, 0x80];
const lengthBytesMax = 4;

export class DerReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;
  /** Tag, start, and start and end of the contents of the current element. */
  tag = -1;
  begin = 0;
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = Math.min(to, bytes.length);
  }

  /** Moves to the next element; false at the end and at malformed bytes. */
  next(): boolean {
    const at = this.#at;
    if (at + 2 > this.#end) return false;
    const tag = this.#bytes[at] as number;
    // No element we need has a multi-byte tag.
    if ((tag & tagNumberMask) === tagNumberMask) return false;
    const first = this.#bytes[at + 1] as number;
    let from = at + 2;
    let length = first;
    if (first >= longForm) {
      const count = first & lengthMask;
      if (count === 0 || count > lengthBytesMax || from + count > this.#end) return false;
      length = 0;
      for (const end = from + count; from < end; from += 1)
        length = length * 256 + (this.#bytes[from] as number);
    }
    if (length > this.#end - from) return false;
    this.tag = tag;
    this.begin = at;
    this.from = from;
    this.to = from + length;
    this.#at = this.to;
    return true;
  }

  /** Moves to the next element, which must have this tag. */
  expect(tag: number): boolean {
    return this.next() && this.tag === tag;
  }

  /** Whether all bytes were consumed. */
  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** A reader of the contents of the current element. */
  inside(): DerReader {
    return new DerReader(this.#bytes, this.from, this.to);
  }
}
