/**
 * Writes a block in the format Native: the numbers of columns and rows, then each column with its name, its type and its values. One that is cut
 * off is refused as a whole, so an insert is one part or nothing.
 */
import { writeVarint } from '../../varint.ts';
import type { Column } from './sql.ts';

const varintBytesMax = 8;

/** The values of one column. */
export class ColumnWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  get contents(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#end++] = value;
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#end, value, true);
    this.#end += 2;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#end, value, true);
    this.#end += 4;
  }

  uint64(value: number): void {
    this.uint32(value % 2 ** 32);
    this.uint32(Math.floor(value / 2 ** 32));
  }

  string(bytes: Uint8Array): void {
    this.#reserve(bytes.length + varintBytesMax);
    this.#end = writeVarint(this.#bytes, this.#end, bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Characters of Latin-1. */
  latin1(text: string): void {
    this.#reserve(text.length + varintBytesMax);
    this.#end = writeVarint(this.#bytes, this.#end, text.length);
    for (let index = 0; index < text.length; index += 1) this.#bytes[this.#end++] = text.charCodeAt(index);
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + length));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

export function nativeBlock(
  columns: readonly Column[],
  writers: readonly ColumnWriter[],
  rows: number,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [varint(columns.length), varint(rows)];
  for (const [index, { name, type }] of columns.entries()) {
    for (const text of [name, type]) parts.push(varint(text.length), Buffer.from(text, 'latin1'));
    parts.push((writers[index] as ColumnWriter).contents);
  }
  const block = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
}

function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(varintBytesMax);
  return bytes.subarray(0, writeVarint(bytes, 0, value));
}
