/**
 * A walk over DER without making anything of it: from element to element, and into one. Only as much is looked at as is asked for, and
 * no element reaches beyond the one that it lies in, whatever its length says.
 */
const [tagNumberMask, lengthMask, longForm] = [0x1f, 0x7f, 0x80];
const lengthBytesMax = 4;

export class DerWalk {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;
  /** Of the element at which the walk stands: its tag, where it begins, and where its contents begin and end. */
  tag = -1;
  begin = 0;
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = Math.min(to, bytes.length);
  }

  /** Goes on to the next element; false at the end, and where what follows is no element. */
  next(): boolean {
    const at = this.#at;
    if (at + 2 > this.#end) return false;
    const tag = this.#bytes[at] as number;
    // Tags of several bytes occur nowhere in what we look for.
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

  /** Goes on to the next element, which must have this tag. */
  expect(tag: number): boolean {
    return this.next() && this.tag === tag;
  }

  /** Whether all was walked over. */
  get isOver(): boolean {
    return this.#at === this.#end;
  }

  /** A walk over what is in the element at which this one stands. */
  inside(): DerWalk {
    return new DerWalk(this.#bytes, this.from, this.to);
  }
}
