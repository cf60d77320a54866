/**
 * A block of pending changes of posting lists, as it is stored: sorted by key, and of one key by id, each id once. All keys come first, then all
 * changes. Keys are hashes, so a position is guessed from the key, and the rest of the way is short.
 */
import {
  chunkIds,
  chunkOf,
  chunkOfLows,
  difference,
  type IdChunk,
  lowOf,
  union,
} from '../../../domain/id-chunk.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';

const keyBytes = 8;
const entryBytes = 12;
/** Entries to either side of the guess that are tried first. */
const firstStep = 32;

/** The lower half first. */
const halves = new Int32Array(2);
const whole = new BigInt64Array(halves.buffer);

/** A change of a posting list: the id times two, plus one where the domain is added. */
export function isAdded(change: number): boolean {
  return (change & 1) === 1;
}

export function idOf(change: number): number {
  return change >>> 1;
}

/** Sorted. */
export interface SortedChanges {
  readonly keys: BigInt64Array;
  readonly changes: Uint32Array;
}

export function encodeBlock({ keys, changes }: SortedChanges): Buffer {
  const bytes = Buffer.allocUnsafeSlow(keys.length * entryBytes);
  bytes.set(new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength));
  bytes.set(new Uint8Array(changes.buffer, changes.byteOffset, changes.byteLength), keys.byteLength);
  return bytes;
}

export class PostingBlock {
  readonly length: number;
  readonly changes: Uint32Array;
  readonly #keys: BigInt64Array;
  readonly #halves: Int32Array;

  constructor(bytes: Buffer) {
    const { buffer, byteOffset } =
      bytes.byteOffset % keyBytes === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
    this.length = bytes.length / entryBytes;
    this.#keys = new BigInt64Array(buffer, byteOffset, this.length);
    this.#halves = new Int32Array(buffer, byteOffset, this.length * 2);
    this.changes = new Uint32Array(buffer, byteOffset + this.length * keyBytes, this.length);
  }

  keyAt(index: number): ValueKey {
    return this.#keys[index] as ValueKey;
  }

  /** The first and the end of the entries of a key. */
  rangeOf(key: ValueKey): readonly [from: number, to: number] {
    whole[0] = key;
    const [low, high] = [(halves[0] as number) >>> 0, halves[1] as number];
    const from = this.#lowerBound(high, low);
    let to = from;
    for (let step = 1; this.#isKey(to, high, low); to += step) {
      // Frequent values have long ranges.
      step = this.#isKey(to + step * 2, high, low) ? step * 2 : 1;
    }
    return [from, to];
  }

  /** The first entry whose key is not below this one. */
  lowerBound(key: ValueKey): number {
    whole[0] = key;
    return this.#lowerBound(halves[1] as number, (halves[0] as number) >>> 0);
  }

  #lowerBound(high: number, low: number): number {
    const first = this.#halves[1] as number;
    const span = (this.#halves[this.length * 2 - 1] as number) - first + 1;
    const guess = Math.floor(((high - first) / span) * this.length);
    let [from, to] = [0, this.length];
    let at = Math.min(Math.max(guess, 0), this.length - 1);
    if (this.#isBelow(at, high, low)) {
      for (let step = firstStep; at < to && this.#isBelow(at, high, low); step *= 2) {
        from = at + 1;
        at += step;
      }
      to = Math.min(at, to);
    } else {
      for (let step = firstStep; at >= from && !this.#isBelow(at, high, low); step *= 2) {
        to = at;
        at -= step;
      }
      from = Math.max(at + 1, from);
    }
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#isBelow(middle, high, low)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #isBelow(index: number, high: number, low: number): boolean {
    const one = this.#halves[index * 2 + 1] as number;
    return one < high || (one === high && (this.#halves[index * 2] as number) >>> 0 < low);
  }

  #isKey(index: number, high: number, low: number): boolean {
    return this.#halves[index * 2 + 1] === high && (this.#halves[index * 2] as number) >>> 0 === low;
  }
}

/** Changes of one key in a block. */
export interface BlockSlice {
  readonly block: PostingBlock;
  readonly from: number;
  readonly to: number;
}

/** A chunk of a posting list after the changes. */
export function withChanges(before: IdChunk, chunk: number, { block, from, to }: BlockSlice): IdChunk {
  const { changes } = block;
  const first = changeFrom(changes, [from, to], chunk * chunkIds * 2);
  const end = changeFrom(changes, [first, to], (chunk + 1) * chunkIds * 2);
  if (first === end) return before;
  const added = new Uint16Array(end - first);
  const removed = new Uint16Array(end - first);
  let [add, remove] = [0, 0];
  for (let index = first; index < end; index += 1) {
    const change = changes[index] as number;
    if (isAdded(change)) added[add++] = lowOf(idOf(change));
    else removed[remove++] = lowOf(idOf(change));
  }
  const current = union(before, chunkOfLows(added.slice(0, add)));
  return difference(current, chunkOfLows(removed.slice(0, remove)));
}

/** The chunks that the changes are of. */
export function chunksIn({ block, from, to }: BlockSlice): Set<number> {
  const chunks = new Set<number>();
  for (let at = from; at < to; ) {
    const chunk = chunkOf(idOf(block.changes[at] as number));
    chunks.add(chunk);
    at = changeFrom(block.changes, [at, to], (chunk + 1) * chunkIds * 2);
  }
  return chunks;
}

/** The first change that is not below this one. */
function changeFrom(changes: Uint32Array, [from, to]: readonly [number, number], change: number): number {
  let [first, end] = [from, to];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((changes[middle] as number) < change) first = middle + 1;
    else end = middle;
  }
  return first;
}
