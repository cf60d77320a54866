/** Reads a range of a stream from its segment files, each opened shortly before it is needed. Every byte is checked. */
import type { Offset, StreamName } from '../../stream-store.ts';
import { openSegment } from './checked-segment.ts';
import type { SegmentFile } from './segment-file.ts';
import type { Segment } from './segment-index.ts';

/** Where the segments of a range are. */
export interface SegmentFiles {
  readonly root: string;
  readonly stream: StreamName;
  readonly segments: readonly Segment[];
}

interface Opened {
  readonly segment: Segment;
  readonly file: SegmentFile;
}

interface Opening {
  readonly index: number;
  readonly opened: Promise<Opened>;
}

/** One read at a time; mostly in order, but any position will do. */
export class SegmentReader {
  readonly #files: SegmentFiles;
  readonly #to: Offset;
  #current: Opening | undefined;
  #following: Opening | undefined;
  readonly #closing = new Set<Promise<void>>();

  constructor(files: SegmentFiles, to: Offset) {
    this.#files = files;
    this.#to = to;
  }

  /**
   * Bytes from one offset towards another, across segment boundaries, because segments of quiet minutes are small. All of them, if there
   * is room for as many. Throws only if nothing precedes the failure: what was read before it is given first.
   */
  async fill(buffer: Buffer, from: Offset, to: Offset): Promise<Uint8Array> {
    let filled = 0;
    try {
      while (filled < buffer.length && from + filled < to) {
        const read = await this.#read(buffer.subarray(filled), from + filled, to);
        // The next block has no room: it comes with the next buffer.
        if (read === 0) break;
        filled += read;
      }
    } catch (error) {
      if (filled === 0) throw error;
    }
    return buffer.subarray(0, filled);
  }

  async #read(into: Buffer, at: Offset, to: Offset): Promise<number> {
    const { segment, file } = await this.#open(at);
    return file.read(into, at - segment.startByte, Math.min(to - segment.startByte, segment.bytes));
  }

  /** The segment of an offset, which stays open for the next read. */
  #open(at: Offset): Promise<Opened> {
    const { segments } = this.#files;
    const known = this.#current && segments[this.#current.index];
    if (this.#current && known && at >= known.startByte && at < known.startByte + known.bytes)
      return this.#current.opened;
    const index = indexOfSegment(segments, at);
    const following = this.#following?.index === index ? this.#following : undefined;
    if (!following) this.#close(this.#following);
    this.#close(this.#current);
    this.#current = following ?? this.#begin(index);
    // The next one is open by the time it is needed.
    const next = segments[index + 1];
    this.#following = next && next.startByte < this.#to ? this.#begin(index + 1) : undefined;
    return this.#current.opened;
  }

  #begin(index: number): Opening {
    const opened = this.#openSegment(index);
    // It may never be needed.
    opened.catch(() => undefined);
    return { index, opened };
  }

  async #openSegment(index: number): Promise<Opened> {
    const { root, stream, segments } = this.#files;
    const segment = segments[index];
    if (!segment) throw new Error(`a segment of ${stream} is missing`);
    return { segment, file: await openSegment(root, stream, segment) };
  }

  #close(opening: Opening | undefined): void {
    if (!opening) return;
    // Files that were only read: a failing close changes nothing.
    const closing: Promise<void> = opening.opened
      .then(({ file }) => file.close())
      .catch(() => undefined)
      .then(() => void this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async close(): Promise<void> {
    this.#close(this.#current);
    this.#close(this.#following);
    [this.#current, this.#following] = [undefined, undefined];
    await Promise.all(this.#closing);
  }
}

/** Binary search for the segment that contains an offset. */
export function indexOfSegment(segments: readonly Segment[], offset: Offset): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((segments[middle] as Segment).startByte <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
