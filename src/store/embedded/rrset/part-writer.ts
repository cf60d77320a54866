/**
 * Writes one part of a run: a file of sorted entries that never changes again. Leaves and the index blocks above them are
 * written as they fill, so memory does not grow with the part; a footer of fixed size says where the root is.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { BlockBuilder, indexKind, leafKind } from './block.ts';
import { copyBytes } from './byte-order.ts';
import { writeVarint } from './varint.ts';

const leafBytesTarget = 4096;
/** Blocks of the index are searched by halving, so large ones cost little, and make the tree lower. */
const indexBytesTarget = 32_768;
const outputBytes = 1 << 20;
export const footerBytes = 64;
export const magic = 0x4e47_5031; // "NGP1"

export interface PartSummary {
  readonly entries: number;
  readonly bytes: number;
  readonly checksum: number;
  readonly minFirst: number;
  readonly maxLast: number;
}

export class PartWriter {
  readonly #file: number;
  readonly #output = new Uint8Array(outputBytes);
  #outputEnd = 0;
  #written = 0;
  #checksum = 0;
  readonly #leaf = new BlockBuilder();
  readonly #separator = { bytes: new Uint8Array(1024), length: 0 };
  /** Index blocks being filled, the lowest first. */
  readonly #levels: { block: BlockBuilder; separator: Uint8Array }[] = [];
  readonly #place = new Uint8Array(32);
  readonly #onLeaf: ((offset: number) => void) | undefined;
  #entries = 0;
  #minFirst = 0xffff_ffff;
  #maxLast = 0;

  /** `onLeaf` is told where each leaf was put, as soon as it is full. */
  constructor(path: string, onLeaf?: (offset: number) => void) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#onLeaf = onLeaf;
  }

  add(
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
    if (leaf.entries === 0) this.#separate(key, keyStart, keyLength);
    leaf.add(key, keyStart, keyLength, value, valueStart, valueLength);
    leaf.widen(first, last);
    this.#entries += 1;
    if (leaf.bytes >= leafBytesTarget) this.#finishLeaf();
  }

  finish(): PartSummary {
    if (this.#leaf.entries > 0 || this.#entries === 0) this.#finishLeaf();
    // Closing a level adds one entry to the level above, until one with a single entry points at the root.
    for (let level = 0; level < this.#levels.length; level += 1) {
      const { block } = this.#levels[level] as { block: BlockBuilder };
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

  /** The shortest start of this key that is greater than every key before it: what the index needs to know. */
  #separate(key: Uint8Array, start: number, keyLength: number): void {
    const shared = this.#entries === 0 ? -1 : this.#leaf.sharedWithLast(key, start, keyLength);
    const length = Math.min(shared + 1, keyLength);
    if (this.#separator.bytes.length < length) this.#separator.bytes = new Uint8Array(length * 2);
    copyBytes(key, start, length, this.#separator.bytes, 0);
    this.#separator.length = length;
  }

  #finishLeaf(): void {
    const { minFirst, maxLast } = this.#leaf;
    if (minFirst < this.#minFirst) this.#minFirst = minFirst;
    if (maxLast > this.#maxLast) this.#maxLast = maxLast;
    const offset = this.#written + this.#outputEnd;
    const block = this.#leaf.finish(leafKind);
    this.#write(block);
    this.#onLeaf?.(offset);
    this.#point(0, this.#separator.bytes.slice(0, this.#separator.length), offset, block.length);
  }

  /** Adds an entry to an index block: everything from this key on is in the block at this place. */
  #point(level: number, separator: Uint8Array, offset: number, length: number): void {
    const above = (this.#levels[level] ??= { block: new BlockBuilder(), separator });
    if (above.block.entries === 0) above.separator = separator;
    const end = writeVarint(this.#place, writeVarint(this.#place, 0, offset), length);
    above.block.add(separator, 0, separator.length, this.#place, 0, end);
    this.#lastPoint = { offset, length };
    if (above.block.bytes >= indexBytesTarget) this.#finishIndex(level);
  }

  #lastPoint = { offset: 0, length: 0 };

  #finishIndex(level: number): void {
    const { block, separator } = this.#levels[level] as { block: BlockBuilder; separator: Uint8Array };
    const offset = this.#written + this.#outputEnd;
    const bytes = block.finish(indexKind);
    this.#write(bytes);
    this.#point(level + 1, separator, offset, bytes.length);
  }

  #writeFooter(): void {
    const footer = new Uint8Array(footerBytes);
    const view = new DataView(footer.buffer);
    view.setFloat64(0, this.#lastPoint.offset, true);
    view.setUint32(8, this.#lastPoint.length, true);
    view.setUint32(12, this.#levels.length - 1, true);
    view.setFloat64(16, this.#entries, true);
    view.setFloat64(24, this.#written + this.#outputEnd, true);
    view.setUint32(32, this.#minFirst, true);
    view.setUint32(36, this.#maxLast, true);
    view.setUint32(60, magic, true);
    this.#write(footer);
  }

  #write(bytes: Uint8Array): void {
    if (this.#outputEnd + bytes.length > this.#output.length) this.#flush();
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
