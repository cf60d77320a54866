/** Reads one table (SSTable) of a segment: point lookups through the block cache, scans through a read-ahead buffer of their own. */
import { readVarint, varintEnd } from '../../varint.ts';
import { BlockCursor, leafKind } from './block.ts';
import type { BlockCache } from './block-cache.ts';
import { compareBytes, readUint32 } from './byte-order.ts';
import { TableFile } from './table-file.ts';

const chunkBytesMin = 16_384;
const chunkBytesMax = 262_144;
/** Leaves after the first that a cursor reads through the cache before it switches to the read-ahead of a scan. */
const cachedLeavesMax = 2;
const idleCursorsMax = 4;
/** Leaves that one step may skip before it returns one anyway, which bounds the time of a step. */
const skippedLeavesMax = 512;

class IndexCursor extends BlockCursor {
  readonly #file: TableFile;
  #offset = 0;

  constructor(file: TableFile) {
    super();
    this.#file = file;
  }

  openBlock(block: Uint8Array, offset: number): void {
    const { headerBytes } = this.#file;
    this.#offset = offset;
    this.open(block, headerBytes, block.length - headerBytes);
  }

  override fail(problem: string): never {
    throw this.#file.failure(problem, this.#offset);
  }
}

export class TableReader {
  readonly file: TableFile;
  readonly #cache: BlockCache;
  readonly #cacheNumber: number;
  readonly #index: IndexCursor;

  /** A file that is missing or damaged is opened too, and fails when it is used. `checksum` is needed for files of version 1. */
  constructor(path: string, cache: BlockCache, checksum?: number) {
    this.file = new TableFile(path, checksum);
    this.#cache = cache;
    this.#cacheNumber = cache.addFile();
    this.#index = new IndexCursor(this.file);
  }

  get entries(): number {
    return this.file.footer.entries;
  }

  get minFirst(): number {
    return this.file.footer.minFirst;
  }

  get maxLast(): number {
    return this.file.footer.maxLast;
  }

  /** The offset at which the blocks end. */
  get end(): number {
    return this.file.footer.end;
  }

  close(): void {
    this.file.close();
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
    this.file.assertUsable();
    const { root, height } = this.file.footer;
    let { offset, length } = root;
    for (let level = 0; level < height; level += 1) {
      const index = this.#index;
      index.openBlock(this.readBlock(offset, length), offset);
      if (!index.seekAtOrBefore(target, targetLength))
        index.fail('no entry of an index block is before the key');
      const below = readVarint(index.bytes, index.valueStart);
      length = readVarint(index.bytes, varintEnd(index.bytes, index.valueStart));
      // Blocks are written from the leaves up, so every pointer is to a block before its own.
      if (!(below + length <= offset)) index.fail('an entry of an index block points to no block');
      offset = below;
    }
    this.foundLength = length;
    return offset;
  }

  /** A block with its header. It is verified as it enters the cache. */
  readBlock(offset: number, length?: number): Uint8Array {
    const cached = this.#cache.get(this.#cacheNumber, offset);
    if (cached) return cached;
    const bytes = this.file.readBlock(offset, length);
    this.#cache.set(this.#cacheNumber, offset, bytes);
    return bytes;
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
  #leafOffset = 0;
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
    this.#leafOffset = wanted;
    this.#leafEnd = wanted + block.length;
    if (!this.#filter.skips?.(readUint32(block, 5), readUint32(block, 9))) {
      this.#openLeaf(block, 0, block.length);
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
        this.#leafOffset = offset;
        offset += block.length;
        if (block[4] !== leafKind || isSkipped(readUint32(block, 5), readUint32(block, 9))) continue;
        this.#leavesPassed += 1;
        this.#leafEnd = offset;
        this.#openLeaf(block, 0, block.length);
        if (!this.next()) continue;
        this.valid = true;
        return true;
      }
      const { file } = this.table;
      let at = this.#inChunk(offset, file.headerBytes);
      const length = file.assertHeader(this.#chunk, at, offset);
      this.#leafOffset = offset;
      offset += length;
      if (this.#chunk[at + 4] !== leafKind) continue;
      if (isSkipped(readUint32(this.#chunk, at + 5), readUint32(this.#chunk, at + 9))) continue;
      at = this.#inChunk(this.#leafOffset, length);
      file.assertBody(this.#chunk, at, this.#leafOffset, length);
      this.#leafEnd = offset;
      this.#openLeaf(this.#chunk, at, length);
      if (this.next()) {
        this.valid = true;
        return true;
      }
    }
    return false;
  }

  /** Opens the leaf, of this length with its header, at an index of `bytes`. */
  #openLeaf(bytes: Uint8Array, at: number, length: number): void {
    const { headerBytes } = this.table.file;
    this.open(bytes, at + headerBytes, length - headerBytes);
  }

  override fail(problem: string): never {
    throw this.table.file.failure(problem, this.#leafOffset);
  }

  /** Reads these bytes of the file into the buffer if they are not there, and returns their index. The read-ahead grows during a scan. */
  #inChunk(offset: number, length: number): number {
    const at = offset - this.#chunkOffset;
    if (at >= 0 && at + length <= this.#chunkLength) return at;
    const wanted = Math.max(this.#chunkBytes, length);
    if (this.#chunk.length < wanted) this.#chunk = new Uint8Array(wanted);
    this.#chunkBytes = Math.min(this.#chunkBytes * 2, chunkBytesMax);
    this.#chunkOffset = offset;
    this.#chunkLength = this.table.file.readInto(this.#chunk, offset);
    if (this.#chunkLength < length)
      throw this.table.file.failure('a block does not fit into the file', offset);
    return 0;
  }
}
