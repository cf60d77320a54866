/** A range of a stream, read from its segment files one chunk ahead of the consumer. Every byte is checked before it is served. */
import type { Offset, OpenRange, StreamName } from '../../stream-store.ts';
import type { CheckedFile } from '../checked-file/checked-file.ts';
import { openSegment } from './checked-segment.ts';
import { acquireLargeBuffers, type ReadBuffers, releaseLargeBuffers, smallBuffers } from './read-buffers.ts';
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
  readonly file: CheckedFile;
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

  /** Throws only if nothing precedes the failure: what was read before it is given first. */
  async fill(buffer: Buffer): Promise<Uint8Array> {
    let filled = 0;
    try {
      while (filled < buffer.length && this.#at < this.#to) {
        const read = await this.#read(buffer.subarray(filled));
        // The next block has no room: it comes with the next buffer.
        if (read === 0) break;
        filled += read;
        this.#at += read;
      }
    } catch (error) {
      if (filled === 0) throw error;
    }
    return buffer.subarray(0, filled);
  }

  async #read(into: Buffer): Promise<number> {
    const { segment, file } = await this.#current();
    const to = Math.min(this.#to - segment.startByte, segment.bytes);
    return file.read(into, this.#at - segment.startByte, to);
  }

  async #current(): Promise<Opened> {
    const known = this.#opened;
    if (known && this.#at < known.segment.startByte + known.segment.bytes) return known;
    if (known) this.#closing.push(known.file.close());
    this.#opened = undefined;
    const following = this.#following ?? this.#open(this.#index);
    this.#following = undefined;
    const opened = await following;
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
    return { segment, file: await openSegment(root, stream, segment) };
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
