/** Reads one table (SSTable) of a segment: point lookups through the block cache, scans through a read-ahead buffer of their own. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readVarint, varintEnd } from '../../varint.ts';
import { BlockCursor, headerBytes, leafKind, readUint32 } from './block.ts';
import type { BlockCache } from './block-cache.ts';
import { compareBytes } from './byte-order.ts';
import { footerBytes, magic } from './table-writer.ts';

const chunkBytesMin = 16_384;
const chunkBytesMax = 262_144;
/** Leaves after the first that a cursor reads through the cache before it switches to the read-ahead of a scan. */
const cachedLeavesMax = 2;
const idleCursorsMax = 4;
/** Leaves that one step may skip before it returns one anyway, which bounds the time of a step. */
const skippedLeavesMax = 512;

export class TableReader {
  readonly entries: number;
  readonly minFirst: number;
  readonly maxLast: number;
  /** The offset at which the blocks end. */
  readonly end: number;
  readonly #file: number;
  readonly #cache: BlockCache;
  readonly #cacheNumber: number;
  readonly #root: { readonly offset: number; readonly length: number };
  readonly #height: number;
  readonly #index = new BlockCursor();

  constructor(path: string, cache: BlockCache) {
    this.#file = openSync(path, 'r');
    this.#cache = cache;
    this.#cacheNumber = cache.addFile();
    const { size } = fstatSync(this.#file);
    const footer = new Uint8Array(footerBytes);
    const view = new DataView(footer.buffer);
    const whole =
      size >= footerBytes && readSync(this.#file, footer, 0, footerBytes, size - footerBytes) === footerBytes;
    if (!whole || view.getUint32(60, true) !== magic) {
      closeSync(this.#file);
      throw new Error(whole ? `${path} is not a table of an RRset segment` : `${path} is truncated`);
    }
    this.#root = { offset: view.getFloat64(0, true), length: view.getUint32(8, true) };
    this.#height = view.getUint32(12, true);
    this.entries = view.getFloat64(16, true);
    this.end = view.getFloat64(24, true);
    this.minFirst = view.getUint32(32, true);
    this.maxLast = view.getUint32(36, true);
  }

  close(): void {
    closeSync(this.#file);
  }

  readonly #idle: TableCursor[] = [];

  /** A pooled cursor over all leaves: most lookups are short, and cost less than creating a cursor. */
  borrowCursor(): TableCursor {
    return this.#idle.pop() ?? new TableCursor(this);
  }

  returnCursor(cursor: TableCursor): void {
    if (this.#idle.length < idleCursorsMax) this.#idle.push(cursor);
  }

  /** The length of the leaf that `findLeaf` found last. */
  foundLength = 0;

  /** The offset of the only leaf that can hold the target: a descent through the index blocks, as in a B+ tree. */
  findLeaf(target: Uint8Array, targetLength: number): number {
    let { offset, length } = this.#root;
    for (let level = 0; level < this.#height; level += 1) {
      const block = this.readBlock(offset, length);
      const index = this.#index;
      index.open(block, headerBytes, length - headerBytes);
      index.seekAtOrBefore(target, targetLength);
      offset = readVarint(index.bytes, index.valueStart);
      length = readVarint(index.bytes, varintEnd(index.bytes, index.valueStart));
    }
    this.foundLength = length;
    return offset;
  }

  /** A block with its header. Without a length, it is read from the header first. */
  readBlock(offset: number, length?: number): Uint8Array {
    const cached = this.#cache.get(this.#cacheNumber, offset);
    if (cached) return cached;
    const bytes = this.read(offset, length ?? headerBytes + readUint32(this.read(offset, headerBytes), 0));
    this.#cache.set(this.#cacheNumber, offset, bytes);
    return bytes;
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const got = readSync(this.#file, bytes, done, length - done, offset + done);
      if (got === 0) throw new Error('a table of an RRset segment is truncated');
      done += got;
    }
    return bytes;
  }

  readInto(bytes: Uint8Array, offset: number): number {
    return readSync(this.#file, bytes, 0, Math.min(bytes.length, this.end - offset), offset);
  }
}

/** Which leaves a cursor may skip without reading their entries. */
export interface LeafFilter {
  /** By the times in the block header. */
  readonly skips?: (minFirst: number, maxLast: number) => boolean;
  /** The first leaf at or after this offset that may hold a match; undefined when there is none. */
  readonly wantedFrom?: (offset: number) => number | undefined;
}

/** An iterator over the entries of a table. `key` and `bytes` are overwritten by every step. */
export class TableCursor extends BlockCursor {
  readonly table: TableReader;
  readonly #filter: LeafFilter;
  /** Whether it is on an entry. */
  valid = false;
  #leafEnd = 0;
  #chunk = new Uint8Array(0);
  #chunkOffset = 0;
  #chunkLength = 0;
  #chunkBytes = chunkBytesMin;
  #leavesPassed = 0;

  constructor(table: TableReader, filter: LeafFilter = {}) {
    super();
    this.table = table;
    this.#filter = filter;
  }

  /** Moves to the first entry at or after the target, among the leaves that pass the filter. */
  seekKey(target: Uint8Array, targetLength: number): boolean {
    this.#leavesPassed = 0;
    const offset = this.table.findLeaf(target, targetLength);
    const wanted = this.#filter.wantedFrom ? this.#filter.wantedFrom(offset) : offset;
    if (wanted === undefined) {
      this.valid = false;
      return false;
    }
    const block = this.table.readBlock(wanted, wanted === offset ? this.table.foundLength : undefined);
    this.#leafEnd = wanted + block.length;
    if (!this.#filter.skips?.(readUint32(block, 5), readUint32(block, 9))) {
      this.open(block, headerBytes, block.length - headerBytes);
      if (wanted !== offset ? this.next() : this.seek(target, targetLength)) {
        this.valid = true;
        return true;
      }
    }
    return this.#firstOfNextLeaf();
  }

  /** The next entry in key order. */
  step(): boolean {
    return this.next() || this.#firstOfNextLeaf();
  }

  /** Like `seekKey`, for targets that are usually a few entries ahead. */
  seekForward(target: Uint8Array, targetLength: number, compare: (cursor: TableCursor) => number): boolean {
    if (!this.valid) return false;
    while (compare(this) < 0) {
      if (!this.next()) return this.seekKey(target, targetLength);
    }
    return true;
  }

  /** Like `seekKey`, for a target not before the last one: usually it is in this leaf, or the current entry. */
  seekRising(target: Uint8Array, targetLength: number): boolean {
    if (!this.valid || compareBytes(this.key, this.keyLength, target, targetLength) >= 0) return this.valid;
    return this.seek(target, targetLength) || this.seekKey(target, targetLength);
  }

  #firstOfNextLeaf(): boolean {
    this.valid = false;
    let skipped = 0;
    const isSkipped = (minFirst: number, maxLast: number) =>
      skipped < skippedLeavesMax && this.#filter.skips?.(minFirst, maxLast) === true;
    for (let offset = this.#leafEnd; offset < this.table.end; skipped += 1) {
      if (this.#filter.wantedFrom) {
        const wanted = this.#filter.wantedFrom(offset);
        if (wanted === undefined) return false;
        offset = wanted;
      }
      if (this.#leavesPassed < cachedLeavesMax) {
        const block = this.table.readBlock(offset);
        offset += block.length;
        if (block[4] !== leafKind || isSkipped(readUint32(block, 5), readUint32(block, 9))) continue;
        this.#leavesPassed += 1;
        this.#leafEnd = offset;
        this.open(block, headerBytes, block.length - headerBytes);
        if (!this.next()) continue;
        this.valid = true;
        return true;
      }
      let at = this.#inChunk(offset, headerBytes);
      const length = readUint32(this.#chunk, at);
      const blockOffset = offset;
      offset += headerBytes + length;
      if (this.#chunk[at + 4] !== leafKind) continue;
      if (isSkipped(readUint32(this.#chunk, at + 5), readUint32(this.#chunk, at + 9))) continue;
      at = this.#inChunk(blockOffset, headerBytes + length);
      this.#leafEnd = offset;
      this.open(this.#chunk, at + headerBytes, length);
      if (this.next()) {
        this.valid = true;
        return true;
      }
    }
    return false;
  }

  /** Reads these bytes of the file into the buffer if they are not there, and returns their index. The read-ahead grows during a scan. */
  #inChunk(offset: number, length: number): number {
    const at = offset - this.#chunkOffset;
    if (at >= 0 && at + length <= this.#chunkLength) return at;
    const wanted = Math.max(this.#chunkBytes, length);
    if (this.#chunk.length < wanted) this.#chunk = new Uint8Array(wanted);
    this.#chunkBytes = Math.min(this.#chunkBytes * 2, chunkBytesMax);
    this.#chunkOffset = offset;
    this.#chunkLength = this.table.readInto(this.#chunk, offset);
    if (this.#chunkLength < length) throw new Error('a table of an RRset segment is truncated');
    return 0;
  }
}
