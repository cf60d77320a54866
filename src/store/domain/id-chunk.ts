/**
 * The containers of a Roaring bitmap (https://arxiv.org/abs/1402.6407): a chunk holds those of 65536 ids with the same upper bits
 * that are in a set, as a sorted array of lower bits where they are few and as a bitmap where they are many. All functions are pure.
 */
import type { DomainId } from '../domain-store.ts';

/** An array container (sorted lower bits) or a bitmap container (2048 words). */
export type IdChunk = Uint16Array | Uint32Array;

export const chunkIds = 65_536;
const words = chunkIds / 32;
/** The longest array container. One less than a bitmap has room for, so that the byte length distinguishes the two. */
const lowsMax = 4095;

export const emptyChunk: IdChunk = new Uint16Array(0);

export function chunkOf(id: DomainId): number {
  return id >>> 16;
}

export function lowOf(id: DomainId): number {
  return id & 0xffff;
}

const everyId: IdChunk = new Uint32Array(words).fill(0xffff_ffff);

let lastRange: { firstId: DomainId; lastId: DomainId; chunk: number; ids: IdChunk } = {
  firstId: 0,
  lastId: -1,
  chunk: -1,
  ids: emptyChunk,
};

/** All ids of a chunk from the first to the last. The last result is cached: every search needs the chunk of the newest domains. */
export function rangeChunk(chunk: number, firstId: DomainId, lastId: DomainId): IdChunk {
  if (lastRange.chunk !== chunk || lastRange.firstId !== firstId || lastRange.lastId !== lastId)
    lastRange = { firstId, lastId, chunk, ids: makeRange(chunk, firstId, lastId) };
  return lastRange.ids;
}

function makeRange(chunk: number, firstId: DomainId, lastId: DomainId): IdChunk {
  const from = Math.max(firstId - chunk * chunkIds, 0);
  const end = Math.min(lastId - chunk * chunkIds + 1, chunkIds);
  if (from === 0 && end === chunkIds) return everyId;
  const bits = new Uint32Array(words).fill(0xffff_ffff, (from + 31) >>> 5, Math.max(end, 0) >>> 5);
  for (let low = from; low < end && (low & 31) !== 0; low += 1) setBit(bits, low);
  for (let low = Math.max(from, end & ~31); low < end; low += 1) setBit(bits, low);
  return bits;
}

function setBit(bits: Uint32Array, low: number): void {
  bits[low >>> 5] = (bits[low >>> 5] as number) | (1 << (low & 31));
}

export function contains(chunk: IdChunk, low: number): boolean {
  if (chunk instanceof Uint32Array) return (((chunk[low >>> 5] as number) >>> (low & 31)) & 1) === 1;
  let [from, to] = [0, chunk.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((chunk[middle] as number) < low) from = middle + 1;
    else to = middle;
  }
  return chunk[from] === low;
}

export function cardinality(chunk: IdChunk): number {
  if (chunk instanceof Uint16Array) return chunk.length;
  let size = 0;
  for (let at = 0; at < words; at += 1) size += popcount(chunk[at] as number);
  return size;
}

function popcount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

export function lowsOf(chunk: IdChunk): Uint16Array {
  if (chunk instanceof Uint16Array) return chunk;
  const lows = new Uint16Array(cardinality(chunk));
  let count = 0;
  for (let at = 0; at < words; at += 1) {
    for (let rest = chunk[at] as number; rest !== 0; rest &= rest - 1) {
      lows[count++] = (at << 5) | (31 - Math.clz32(rest & -rest));
    }
  }
  return lows;
}

/** Sorted lower bits as the smaller kind of container. */
export function chunkOfLows(lows: Uint16Array): IdChunk {
  return lows.length > lowsMax ? bitsOf(lows) : lows;
}

function bitsOf(chunk: IdChunk): Uint32Array {
  if (chunk instanceof Uint32Array) return chunk;
  const bits = new Uint32Array(words);
  for (const low of chunk) setBit(bits, low);
  return bits;
}

/** An array container where few bits are left. */
export function compacted(bits: Uint32Array): IdChunk {
  return cardinality(bits) > lowsMax ? bits : lowsOf(bits);
}

export function intersection(left: IdChunk, right: IdChunk): IdChunk {
  if (left instanceof Uint32Array && right instanceof Uint32Array) {
    const bits = new Uint32Array(words);
    for (let at = 0; at < words; at += 1) bits[at] = (left[at] as number) & (right[at] as number);
    return compacted(bits);
  }
  if (left instanceof Uint32Array || (right instanceof Uint16Array && right.length < left.length)) {
    return intersection(right, left);
  }
  return left.filter((low) => contains(right, low));
}

export function union(left: IdChunk, right: IdChunk): IdChunk {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const bits = Uint32Array.from(bitsOf(left));
  if (right instanceof Uint16Array) for (const low of right) setBit(bits, low);
  else for (let at = 0; at < words; at += 1) bits[at] = (bits[at] as number) | (right[at] as number);
  return compacted(bits);
}

export function difference(chunk: IdChunk, removed: IdChunk): IdChunk {
  if (removed.length === 0) return chunk;
  if (chunk instanceof Uint16Array) return chunk.filter((low) => !contains(removed, low));
  const mask = bitsOf(removed);
  const bits = new Uint32Array(words);
  for (let at = 0; at < words; at += 1) bits[at] = (chunk[at] as number) & ~(mask[at] as number);
  return compacted(bits);
}

export function chunkBytes(chunk: IdChunk): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

export function readChunk(bytes: Buffer): IdChunk {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  const { buffer, byteOffset, byteLength } = aligned;
  if (byteLength === words * 4) return new Uint32Array(buffer, byteOffset, words);
  return new Uint16Array(buffer, byteOffset, byteLength / 2);
}
