/** A range of a stream, read from its segment files one chunk ahead of the consumer. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Offset, OpenRange, StreamName } from '../../stream-store.ts';
import { acquireLargeBuffers, type ReadBuffers, releaseLargeBuffers, smallBuffers } from './read-buffers.ts';
import { segmentPath } from './segment-files.ts';
import type { Segment } from './segment-index.ts';

/** More than the system buffers for a stalled client: one that has consumed this much is reading. */
const fastBytes = 8 << 20;

/** Where the segments of a range are. */
export interface SegmentFiles {
  readonly root: string;
  readonly stream: StreamName;
  readonly segments: readonly Segment[];
}

interface Opened {
  readonly segment: Segment;
  readonly file: FileHandle;
}

export class StoredRange implements OpenRange {
  readonly from: Offset;
  readonly to: Offset;
  readonly #files: SegmentFiles;
  readonly #release: () => Promise<void>;
  readonly #large: ReadBuffers[] = [];

  constructor(files: SegmentFiles, [from, to]: readonly [Offset, Offset], release: () => Promise<void>) {
    this.#files = files;
    this.from = from;
    this.to = to;
    this.#release = release;
  }

  read(from: Offset = this.from, to: Offset = this.to): AsyncIterable<Uint8Array> {
    return this.#chunks(Math.max(from, this.from), Math.min(to, this.to));
  }

  async close(): Promise<void> {
    // Not earlier: the last chunks may still be on their way to the socket.
    for (const buffers of this.#large.splice(0)) releaseLargeBuffers(buffers);
    await this.#release();
  }

  async *#chunks(from: Offset, to: Offset): AsyncGenerator<Uint8Array, void, undefined> {
    if (to <= from) return;
    const reader = new SegmentReader(this.#files, from, to);
    let buffers = smallBuffers(to - from);
    let isLarge = false;
    let given = 0;
    let coming = reader.fill(buffers[0]);
    try {
      for (let round = 1; ; round += 1) {
        const chunk = await coming;
        if (chunk.length === 0) return;
        given += chunk.length;
        const large = isLarge || given < fastBytes ? undefined : acquireLargeBuffers();
        if (large) {
          isLarge = true;
          this.#large.push(large);
          buffers = large;
        }
        coming = reader.fill(buffers[round % buffers.length] as Buffer);
        // A consumer that stops iterating never awaits it.
        coming.catch(() => undefined);
        yield chunk;
      }
    } finally {
      await coming.catch(() => undefined);
      await reader.close();
    }
  }
}

/** Fills buffers across segment boundaries: segments of quiet minutes are small. */
class SegmentReader {
  readonly #files: SegmentFiles;
  #at: Offset;
  readonly #to: Offset;
  #index: number;
  #opened: Opened | undefined;
  #following: Promise<Opened | undefined> | undefined;
  readonly #closing: Promise<void>[] = [];

  constructor(files: SegmentFiles, from: Offset, to: Offset) {
    this.#files = files;
    this.#at = from;
    this.#to = to;
    this.#index = indexOfSegment(files.segments, from);
  }

  async fill(buffer: Buffer): Promise<Uint8Array> {
    let filled = 0;
    while (filled < buffer.length && this.#at < this.#to) {
      const { segment, file } = await this.#current();
      const left = Math.min(this.#to, segment.startByte + segment.bytes) - this.#at;
      const wanted = Math.min(buffer.length - filled, left);
      const { bytesRead } = await file.read(buffer, filled, wanted, this.#at - segment.startByte);
      if (bytesRead === 0) throw new Error(`a segment of ${this.#files.stream} is truncated`);
      filled += bytesRead;
      this.#at += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  async #current(): Promise<Opened> {
    const known = this.#opened;
    if (known && this.#at < known.segment.startByte + known.segment.bytes) return known;
    if (known) this.#closing.push(known.file.close());
    this.#opened = undefined;
    const opened = await (this.#following ?? this.#open(this.#index));
    if (!opened) throw new Error(`a segment of ${this.#files.stream} is missing`);
    this.#index += 1;
    this.#opened = opened;
    // The next one is open by the time it is needed.
    const end = opened.segment.startByte + opened.segment.bytes;
    this.#following = end < this.#to ? this.#open(this.#index) : undefined;
    this.#following?.catch(() => undefined);
    return opened;
  }

  async #open(index: number): Promise<Opened | undefined> {
    const { root, stream, segments } = this.#files;
    const segment = segments[index];
    if (!segment) return undefined;
    return { segment, file: await open(segmentPath(root, stream, segment.minute), 'r') };
  }

  async close(): Promise<void> {
    const following = await this.#following?.catch(() => undefined);
    await Promise.all([this.#opened?.file.close(), following?.file.close(), ...this.#closing]);
  }
}

/** Binary search for the segment that contains an offset. */
function indexOfSegment(segments: readonly Segment[], offset: Offset): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((segments[middle] as Segment).startByte <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
