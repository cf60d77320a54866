/** Reads the format RowBinary: numbers are little-endian, strings and arrays begin with their length as a varint. */
import { readVarint, varintEnd } from '../../varint.ts';

export class RowReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  /** Up to the largest safe integer. */
  uint64(): number {
    const at = this.#advance(8);
    return this.#bytes.readUInt32LE(at + 4) * 2 ** 32 + this.#bytes.readUInt32LE(at);
  }

  length(): number {
    const at = this.#at;
    this.#at = varintEnd(this.#bytes, at);
    return readVarint(this.#bytes, at);
  }

  /** A copy: the answer it is part of need not stay in memory. */
  string(): Uint8Array {
    const length = this.length();
    const at = this.#advance(length);
    if (at + length > this.#bytes.length) throw new RangeError('an answer of ClickHouse is cut off');
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  #advance(length: number): number {
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

export function readRows<Row>(bytes: Buffer, readRow: (reader: RowReader) => Row): Row[] {
  const reader = new RowReader(bytes);
  const rows: Row[] = [];
  while (!reader.isAtEnd) rows.push(readRow(reader));
  return rows;
}
