/**
 * A page of a long posting list: those of 8192 ids with the same upper bits that are in the list, as sorted lower bits where they are few and as a bitmap
 * where they are many. Eight pages make a chunk, which searches work with (`store/domain/id-chunk.ts`). All functions are pure.
 */
import { chunkIds, compacted, emptyChunk, type IdChunk, lowOf } from '../../../domain/id-chunk.ts';
import type { DomainId } from '../../../domain-store.ts';

export const pageIds = 8192;
export const chunkPages = chunkIds / pageIds;
const words = pageIds / 32;
/** One less than a bitmap has room for, so that the length in bytes distinguishes the two. */
const lowsMax = words * 2 - 1;

export interface StoredPage {
  readonly page: number;
  readonly ids: Buffer;
}

export function pageOf(id: DomainId): number {
  return id >>> 13;
}

/** The pages of a chunk in the order of their numbers, as a chunk. */
export function chunkOfPages(pages: readonly StoredPage[]): IdChunk {
  if (pages.length === 0) return emptyChunk;
  const isBitmap = pages.some(({ ids }) => ids.length === words * 4);
  return isBitmap ? bitmapOfPages(pages) : lowsOfPages(pages);
}

function bitmapOfPages(pages: readonly StoredPage[]): IdChunk {
  const bits = new Uint32Array(chunkIds / 32);
  for (const { page, ids } of pages) setPage(bits.subarray((page % chunkPages) * words), ids);
  return compacted(bits);
}

function lowsOfPages(pages: readonly StoredPage[]): IdChunk {
  const lows = new Uint16Array(pages.reduce((sum, { ids }) => sum + ids.length / 2, 0));
  let count = 0;
  for (const { page, ids } of pages) {
    const first = (page % chunkPages) * pageIds;
    for (let at = 0; at < ids.length; at += 2) lows[count++] = first + ids.readUInt16LE(at);
  }
  return lows;
}

function setPage(bits: Uint32Array, ids: Buffer): void {
  if (ids.length === words * 4)
    for (let word = 0; word < words; word += 1) bits[word] = ids.readUInt32LE(word * 4);
  else
    for (let at = 0; at < ids.length; at += 2) {
      const low = ids.readUInt16LE(at);
      bits[low >>> 5] = (bits[low >>> 5] as number) | (1 << (low & 31));
    }
}

/** Whether the page has the id, which is one of its ids. */
export function pageHas(ids: Buffer, id: DomainId): boolean {
  const low = lowOf(id) % pageIds;
  if (ids.length === words * 4) return (((ids[low >>> 3] as number) >>> (low & 7)) & 1) === 1;
  let [from, to] = [0, ids.length / 2];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ids.readUInt16LE(middle * 2) < low) from = middle + 1;
    else to = middle;
  }
  return from * 2 < ids.length && ids.readUInt16LE(from * 2) === low;
}

export interface ChangedPage {
  /** Undefined where no id is left. */
  readonly ids: Buffer | undefined;
  /** How many ids it has more than before. */
  readonly net: number;
}

/** Ids of the page, each with whether it is in the list now. */
export function changedPage(
  before: Buffer | undefined,
  changes: Iterable<readonly [DomainId, boolean]>,
): ChangedPage {
  const bits = new Uint32Array(words);
  if (before) setPage(bits, before);
  let net = 0;
  for (const [id, has] of changes) {
    const low = lowOf(id) % pageIds;
    const [word, bit] = [bits[low >>> 5] as number, 1 << (low & 31)];
    if (((word & bit) !== 0) === has) continue;
    bits[low >>> 5] = word ^ bit;
    net += has ? 1 : -1;
  }
  return { ids: encoded(bits), net };
}

function encoded(bits: Uint32Array): Buffer | undefined {
  const lows: number[] = [];
  for (let word = 0; word < words; word += 1)
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1)
      lows.push((word << 5) | (31 - Math.clz32(rest & -rest)));
  if (lows.length === 0) return undefined;
  const bytes = Buffer.allocUnsafe(lows.length > lowsMax ? words * 4 : lows.length * 2);
  if (lows.length > lowsMax) for (const [word, value] of bits.entries()) bytes.writeUInt32LE(value, word * 4);
  else for (const [at, low] of lows.entries()) bytes.writeUInt16LE(low, at * 2);
  return bytes;
}
