/**
 * Blocks of sorted, prefix-compressed entries: what a table (SSTable) consists of. The layout follows LevelDB's
 * (https://github.com/google/leveldb/blob/main/doc/table_format.md). A block is:
 *
 *   header     length (u32), kind (u8: 0 leaf, 1 index), minimum first seen (u32), maximum last seen (u32),
 *              checksum of entries and restarts (u32), checksum of the header (u32); `block-checksum.ts` says how they are made
 *   entries    shared, added, value length (varints), the added bytes of the key, the value
 *   restarts   offset (u32) of every sixteenth entry, then their number (u32)
 *
 * `shared` is the length of the prefix that a key has in common with the key before it; at a restart point it is 0, so that
 * a seek is a binary search over restart points and then a linear scan. The times in the header are a zone map: a scan with
 * time fences skips a block without reading it, which is why the header has a checksum of its own. All integers are
 * little-endian. Blocks of version 1 have no checksums: their header is 13 bytes, and the manifest has a checksum of the file.
 *
 * A cursor bounds every length by the block before it uses it, so that not even damage that passes the checksums leads to an
 * allocation or a loop without end.
 */

import { readVarint, varintEnd, writeVarint } from '../../varint.ts';
import { headerBytes, sealBlock } from './block-checksum.ts';
import { copyBytes, readUint32 } from './byte-order.ts';

export const leafKind = 0;
export const indexKind = 1;

const restartInterval = 16;
const restartBytes = 4;

/** Far above the largest entry that a batch of observations can lead to. No block is written or read that is larger. */
export const blockBytesMax = 64 << 20;

export class BlockBuilder {
  #bytes = new Uint8Array(16_384);
  #end = headerBytes;
  #restarts: number[] = [];
  #entries = 0;
  minFirst = 0xffff_ffff;
  maxLast = 0;

  get entries(): number {
    return this.#entries;
  }

  get bytes(): number {
    return this.#end;
  }

  /** `shared` is the length of the prefix that the key has in common with the key before it, in this block or the last one. */
  add(
    shared: number,
    key: Uint8Array,
    keyStart: number,
    keyLength: number,
    value: Uint8Array,
    valueStart: number,
    valueLength: number,
  ): void {
    this.#reserve(keyLength + valueLength + 24);
    let kept = shared;
    if (this.#entries % restartInterval === 0) {
      this.#restarts.push(this.#end - headerBytes);
      kept = 0;
    }
    const bytes = this.#bytes;
    let at = writeVarint(bytes, this.#end, kept);
    at = writeVarint(bytes, at, keyLength - kept);
    at = writeVarint(bytes, at, valueLength);
    at = copyBytes(key, keyStart + kept, keyLength - kept, bytes, at);
    this.#end = copyBytes(value, valueStart, valueLength, bytes, at);
    this.#entries += 1;
  }

  widen(first: number, last: number): void {
    if (first < this.minFirst) this.minFirst = first;
    if (last > this.maxLast) this.maxLast = last;
  }

  /** The block with its header, sealed with the seed of its offset; the memory is reused for the next block. */
  finish(kind: number, seed: number): Uint8Array {
    this.#reserve((this.#restarts.length + 1) * restartBytes);
    const view = new DataView(this.#bytes.buffer);
    for (const restart of this.#restarts) {
      view.setUint32(this.#end, restart, true);
      this.#end += restartBytes;
    }
    view.setUint32(this.#end, this.#restarts.length, true);
    this.#end += restartBytes;
    view.setUint32(0, this.#end - headerBytes, true);
    view.setUint8(4, kind);
    view.setUint32(5, this.minFirst, true);
    view.setUint32(9, this.maxLast, true);
    const block = this.#bytes.subarray(0, this.#end);
    if (block.length > blockBytesMax) throw new Error(`a block of ${block.length} bytes is too large`);
    sealBlock(block, seed);
    this.#end = headerBytes;
    this.#restarts = [];
    this.#entries = 0;
    this.minFirst = 0xffff_ffff;
    this.maxLast = 0;
    return block;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return;
    const larger = new Uint8Array((this.#end + length) * 2);
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }
}

/** An iterator over a block. `key` and `bytes` are overwritten by every step, so copy what must outlive it. */
export class BlockCursor {
  bytes: Uint8Array = new Uint8Array(0);
  key = new Uint8Array(512);
  keyLength = 0;
  /** How many bytes the key has taken from the one before it. It may have more in common with it. */
  shared = 0;
  valueStart = 0;
  valueEnd = 0;
  #start = 0;
  #next = 0;
  #end = 0;
  #restartsAt = 0;
  #restarts = 0;

  /** Opens the block (without header) at an offset in `bytes`, positioned before its first entry. */
  open(bytes: Uint8Array, start: number, length: number): void {
    this.bytes = bytes;
    this.#start = start;
    this.#restarts = readUint32(bytes, start + length - restartBytes);
    this.#restartsAt = start + length - restartBytes * (this.#restarts + 1);
    if (this.#restartsAt < start) this.fail('the restart points of a block do not fit into it');
    this.#end = this.#restartsAt;
    this.#next = start;
    this.keyLength = 0;
  }

  /** Throws an error about the open block. */
  fail(problem: string): never {
    throw new Error(problem);
  }

  next(): boolean {
    if (this.#next >= this.#end) return false;
    const { bytes } = this;
    let at = this.#next;
    let shared = bytes[at++] as number;
    if (shared >= 0x80) {
      shared = readVarint(bytes, at - 1);
      at = varintEnd(bytes, at - 1);
    }
    let added = bytes[at++] as number;
    if (added >= 0x80) {
      added = readVarint(bytes, at - 1);
      at = varintEnd(bytes, at - 1);
    }
    let valueLength = bytes[at++] as number;
    if (valueLength >= 0x80) {
      valueLength = readVarint(bytes, at - 1);
      at = varintEnd(bytes, at - 1);
    }
    const keyLength = shared + added;
    // Written so that it also fails on NaN, which is what a length read past the end of the bytes is.
    if (!(shared <= this.keyLength && at + added + valueLength <= this.#end)) {
      this.fail('an entry does not fit into its block');
    }
    if (this.key.length < keyLength) {
      const larger = new Uint8Array(keyLength * 2);
      larger.set(this.key.subarray(0, shared));
      this.key = larger;
    }
    at = copyBytesFrom(bytes, at, added, this.key, shared);
    this.keyLength = keyLength;
    this.shared = shared;
    this.valueStart = at;
    this.valueEnd = at + valueLength;
    this.#next = this.valueEnd;
    return true;
  }

  /** Moves to the first entry at or after the target; false when all are before it. */
  seek(target: Uint8Array, targetLength: number): boolean {
    this.#toRestartBefore(target, targetLength);
    while (this.next()) {
      if (this.#compareWith(target, targetLength) >= 0) return true;
    }
    return false;
  }

  /** Moves to the last entry at or before the target; false when all are after it. */
  seekAtOrBefore(target: Uint8Array, targetLength: number): boolean {
    this.#toRestartBefore(target, targetLength);
    let found = false;
    let valueStart = 0;
    let valueEnd = 0;
    while (this.next() && this.#compareWith(target, targetLength) <= 0) {
      found = true;
      ({ valueStart, valueEnd } = this);
    }
    this.valueStart = valueStart;
    this.valueEnd = valueEnd;
    return found;
  }

  #compareWith(target: Uint8Array, targetLength: number): number {
    const { key, keyLength } = this;
    const common = keyLength < targetLength ? keyLength : targetLength;
    for (let index = 0; index < common; index += 1) {
      const difference = (key[index] as number) - (target[index] as number);
      if (difference !== 0) return difference;
    }
    return keyLength - targetLength;
  }

  /** Binary search for the last restart point before the target, or the first of all. */
  #toRestartBefore(target: Uint8Array, targetLength: number): void {
    let low = 0;
    let high = this.#restarts - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#restartIsBefore(middle, target, targetLength)) low = middle;
      else high = middle - 1;
    }
    this.#next =
      this.#start +
      (this.#restarts === 0 ? 0 : readUint32(this.bytes, this.#restartsAt + low * restartBytes));
    this.keyLength = 0;
  }

  #restartIsBefore(restart: number, target: Uint8Array, targetLength: number): boolean {
    const { bytes } = this;
    // At a restart point nothing is shared: one zero byte, then the lengths of the key and of the value.
    const lengthAt = this.#start + readUint32(bytes, this.#restartsAt + restart * restartBytes) + 1;
    if (lengthAt >= this.#end) this.fail('a restart point is outside its block');
    const length = readVarint(bytes, lengthAt);
    const at = varintEnd(bytes, varintEnd(bytes, lengthAt));
    const common = length < targetLength ? length : targetLength;
    for (let index = 0; index < common; index += 1) {
      const difference = (bytes[at + index] as number) - (target[index] as number);
      if (difference !== 0) return difference < 0;
    }
    return length < targetLength;
  }
}

function copyBytesFrom(
  from: Uint8Array,
  start: number,
  length: number,
  into: Uint8Array,
  at: number,
): number {
  copyBytes(from, start, length, into, at);
  return start + length;
}
