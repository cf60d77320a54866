/**
 * Writes one table of a segment: an SSTable, an immutable file of sorted entries. Leaf blocks of about 4 KiB and, above them, levels
 * of index blocks of about 32 KiB (key separator to offset and length, as in a bulk-loaded B+ tree) are written as they fill, so
 * memory does not grow with the table. `table-footer.ts` describes the footer. What a file holds is bound to its name: the
 * checksums fail when a file of one segment has the name of another.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeVarint } from '../../varint.ts';
import { BlockBuilder, indexKind, leafKind } from './block.ts';
import { blockSeed, fileSeed } from './block-checksum.ts';
import { copyBytes, sharedPrefix } from './byte-order.ts';
import { encodeFooter } from './table-footer.ts';

const leafBytesTarget = 4096;
/** A seek in an index block is a binary search, so large blocks cost little and keep the index shallow. */
const indexBytesTarget = 32_768;
/** Written at once: little where the table is small, and enough that a large one takes few system calls. */
const outputBytes = { least: 1 << 16, most: 1 << 20 };

export interface TableSummary {
  readonly entries: number;
  readonly bytes: number;
  readonly checksum: number;
  readonly minFirst: number;
  readonly maxLast: number;
}

/** A level of the index. */
interface Level {
  readonly block: BlockBuilder;
  /** Of the first entry of the block. */
  separator: Uint8Array;
  /** Of the last entry of the level. */
  last: Uint8Array;
}

const noKey = new Uint8Array(0);

export class TableWriter {
  readonly #file: number;
  readonly #seed: number;
  #output = new Uint8Array(outputBytes.least);
  #outputEnd = 0;
  #written = 0;
  #checksum = 0;
  readonly #leaf = new BlockBuilder();
  readonly #separator = { bytes: new Uint8Array(1024), length: 0 };
  /** Index blocks being filled, the lowest first. */
  readonly #levels: Level[] = [];
  readonly #pointer = new Uint8Array(32);
  readonly #onLeaf: ((offset: number) => void) | undefined;
  #entries = 0;
  #minFirst = 0xffff_ffff;
  #maxLast = 0;

  /** `onLeaf` is called with the offset of each leaf once it is written. */
  constructor(path: string, onLeaf?: (offset: number) => void) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#seed = fileSeed(path);
    this.#onLeaf = onLeaf;
  }

  /** Adds the next entry in the order of keys. `shared` is the length of the prefix that its key has in common with the one before. */
  add(
    shared: number,
    key: Uint8Array,
    keyStart: number,
    keyLength: number,
    value: Uint8Array,
    valueStart: number,
    valueLength: number,
    first: number,
    last: number,
  ): void {
    const leaf = this.#leaf;
    if (leaf.entries === 0) this.#separate(shared, key, keyStart, keyLength);
    leaf.add(shared, key, keyStart, keyLength, value, valueStart, valueLength);
    leaf.widen(first, last);
    this.#entries += 1;
    if (leaf.bytes >= leafBytesTarget) this.#finishLeaf();
  }

  finish(): TableSummary {
    if (this.#leaf.entries > 0 || this.#entries === 0) this.#finishLeaf();
    // Finishing a level adds an entry to the level above, until a level has one entry, which points to the root.
    for (let level = 0; level < this.#levels.length; level += 1) {
      const { block } = this.#levels[level] as Level;
      if (level === this.#levels.length - 1 && block.entries === 1) break;
      if (block.entries > 0) this.#finishIndex(level);
    }
    this.#writeFooter();
    this.#flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
    return {
      entries: this.#entries,
      bytes: this.#written,
      checksum: this.#checksum,
      minFirst: this.#minFirst,
      maxLast: this.#maxLast,
    };
  }

  /** The separator in the index: the shortest prefix of this key that sorts after every key before it. */
  #separate(shared: number, key: Uint8Array, start: number, keyLength: number): void {
    const length = this.#entries === 0 ? 0 : Math.min(shared + 1, keyLength);
    if (this.#separator.bytes.length < length) this.#separator.bytes = new Uint8Array(length * 2);
    copyBytes(key, start, length, this.#separator.bytes, 0);
    this.#separator.length = length;
  }

  #finishLeaf(): void {
    const { minFirst, maxLast } = this.#leaf;
    if (minFirst < this.#minFirst) this.#minFirst = minFirst;
    if (maxLast > this.#maxLast) this.#maxLast = maxLast;
    const offset = this.#written + this.#outputEnd;
    const block = this.#leaf.finish(leafKind, blockSeed(this.#seed, offset));
    this.#write(block);
    this.#onLeaf?.(offset);
    this.#addPointer(0, this.#separator.bytes.slice(0, this.#separator.length), offset, block.length);
  }

  /** Adds an index entry: keys from this separator on are in the block at this offset. */
  #addPointer(level: number, separator: Uint8Array, offset: number, length: number): void {
    const above = (this.#levels[level] ??= { block: new BlockBuilder(), separator, last: noKey });
    if (above.block.entries === 0) above.separator = separator;
    const shared = sharedPrefix(above.last, above.last.length, separator, separator.length);
    const end = writeVarint(this.#pointer, writeVarint(this.#pointer, 0, offset), length);
    above.block.add(shared, separator, 0, separator.length, this.#pointer, 0, end);
    above.last = separator;
    this.#lastPointer = { offset, length };
    if (above.block.bytes >= indexBytesTarget) this.#finishIndex(level);
  }

  #lastPointer = { offset: 0, length: 0 };

  #finishIndex(level: number): void {
    const { block, separator } = this.#levels[level] as Level;
    const offset = this.#written + this.#outputEnd;
    const bytes = block.finish(indexKind, blockSeed(this.#seed, offset));
    this.#write(bytes);
    this.#addPointer(level + 1, separator, offset, bytes.length);
  }

  #writeFooter(): void {
    const footer = encodeFooter(
      {
        root: this.#lastPointer,
        height: this.#levels.length - 1,
        entries: this.#entries,
        end: this.#written + this.#outputEnd,
        minFirst: this.#minFirst,
        maxLast: this.#maxLast,
      },
      this.#seed,
    );
    this.#write(footer);
  }

  #write(bytes: Uint8Array): void {
    if (this.#outputEnd + bytes.length > this.#output.length) {
      this.#flush();
      if (this.#output.length < outputBytes.most) this.#output = new Uint8Array(4 * this.#output.length);
    }
    if (bytes.length > this.#output.length) {
      this.#emit(bytes);
      return;
    }
    this.#output.set(bytes, this.#outputEnd);
    this.#outputEnd += bytes.length;
  }

  #flush(): void {
    this.#emit(this.#output.subarray(0, this.#outputEnd));
    this.#outputEnd = 0;
  }

  #emit(bytes: Uint8Array): void {
    this.#checksum = crc32(bytes, this.#checksum);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#written += bytes.length;
  }
}
