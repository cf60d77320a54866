/** A stretch of a stream, read from its segment files, one piece ahead of whoever takes it. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Offset, OpenRange, StreamName } from '../../stream-store.ts';
import { findLargeMemory, giveLargeMemory, type Memory, smallMemory } from './piece-memory.ts';
import { segmentPath } from './segment-files.ts';
import type { Segment } from './segments.ts';

/** Who has taken so much is no client that has stalled: that is more than the system keeps for one. */
const fastBytes = 8 << 20;

interface Opened {
  readonly segment: Segment;
  readonly file: FileHandle;
}

export class OpenStretch implements OpenRange {
  readonly from: Offset;
  readonly to: Offset;
  readonly #root: string;
  readonly #stream: StreamName;
  readonly #segments: readonly Segment[];
  readonly #giveBack: () => Promise<void>;
  readonly #large: Memory[] = [];

  constructor(
    place: { readonly root: string; readonly stream: StreamName },
    segments: readonly Segment[],
    [from, to]: readonly [Offset, Offset],
    giveBack: () => Promise<void>,
  ) {
    this.#root = place.root;
    this.#stream = place.stream;
    this.#segments = segments;
    this.from = from;
    this.to = to;
    this.#giveBack = giveBack;
  }

  read(from: Offset = this.from, to: Offset = this.to): AsyncIterable<Uint8Array> {
    return this.#pieces(Math.max(from, this.from), Math.min(to, this.to));
  }

  async close(): Promise<void> {
    // Not before: what was read last may still be on its way.
    for (const memory of this.#large.splice(0)) giveLargeMemory(memory);
    await this.#giveBack();
  }

  async *#pieces(from: Offset, to: Offset): AsyncGenerator<Uint8Array, void, undefined> {
    if (to <= from) return;
    const filler = new PieceFiller(this.#root, this.#stream, this.#segments, from, to);
    let memory = smallMemory(to - from);
    let isLarge = false;
    let given = 0;
    let coming = filler.fill(memory[0]);
    try {
      for (let turn = 1; ; turn += 1) {
        const piece = await coming;
        if (piece.length === 0) return;
        given += piece.length;
        const large = isLarge || given < fastBytes ? undefined : findLargeMemory();
        if (large) {
          isLarge = true;
          this.#large.push(large);
          memory = large;
        }
        coming = filler.fill(memory[turn % memory.length] as Buffer);
        // Whoever stops iterating never hears of it.
        coming.catch(() => undefined);
        yield piece;
      }
    } finally {
      await coming.catch(() => undefined);
      await filler.close();
    }
  }
}

/** Fills pieces with what follows, across segments: those of quiet minutes are small. */
class PieceFiller {
  readonly #root: string;
  readonly #stream: StreamName;
  readonly #segments: readonly Segment[];
  #at: Offset;
  readonly #to: Offset;
  #index: number;
  #opened: Opened | undefined;
  #following: Promise<Opened | undefined> | undefined;
  readonly #closing: Promise<void>[] = [];

  constructor(root: string, stream: StreamName, segments: readonly Segment[], from: Offset, to: Offset) {
    this.#root = root;
    this.#stream = stream;
    this.#segments = segments;
    this.#at = from;
    this.#to = to;
    this.#index = indexOfHolder(segments, from);
  }

  async fill(memory: Buffer): Promise<Uint8Array> {
    let filled = 0;
    while (filled < memory.length && this.#at < this.#to) {
      const { segment, file } = await this.#current();
      const left = Math.min(this.#to, segment.startByte + segment.bytes) - this.#at;
      const wanted = Math.min(memory.length - filled, left);
      const { bytesRead } = await file.read(memory, filled, wanted, this.#at - segment.startByte);
      if (bytesRead === 0) throw new Error(`a segment of ${this.#stream} is cut short`);
      filled += bytesRead;
      this.#at += bytesRead;
    }
    return memory.subarray(0, filled);
  }

  async #current(): Promise<Opened> {
    const known = this.#opened;
    if (known && this.#at < known.segment.startByte + known.segment.bytes) return known;
    if (known) this.#closing.push(known.file.close());
    this.#opened = undefined;
    const opened = await (this.#following ?? this.#open(this.#index));
    if (!opened) throw new Error(`a segment of ${this.#stream} is missing`);
    this.#index += 1;
    this.#opened = opened;
    // The next one is open by the time it is needed.
    const end = opened.segment.startByte + opened.segment.bytes;
    this.#following = end < this.#to ? this.#open(this.#index) : undefined;
    this.#following?.catch(() => undefined);
    return opened;
  }

  async #open(index: number): Promise<Opened | undefined> {
    const segment = this.#segments[index];
    if (!segment) return undefined;
    return { segment, file: await open(segmentPath(this.#root, this.#stream, segment.minute), 'r') };
  }

  async close(): Promise<void> {
    const following = await this.#following?.catch(() => undefined);
    await Promise.all([this.#opened?.file.close(), following?.file.close(), ...this.#closing]);
  }
}

function indexOfHolder(segments: readonly Segment[], place: Offset): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((segments[middle] as Segment).startByte <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
