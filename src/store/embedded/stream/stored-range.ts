/** A range of a stream, read one chunk ahead of the consumer. Every byte is checked before it is served. */
import type { Offset, OpenRange } from '../../stream-store.ts';
import type { Segment } from './segment-index.ts';
import { indexOfSegment, type SegmentFiles, SegmentReader } from './segment-reader.ts';
import {
  type ChunkAddress,
  chunkBytes,
  type SharedChunk,
  type SharedChunks,
  sharedBytesMin,
} from './shared-chunks.ts';

/** More than the system buffers for a stalled client: one that has consumed this much is reading. */
const steadyBytes = 8 << 20;

const smallBytes = 65_536;

/** One is being consumed, one may still be on its way to the socket, one is being filled. */
const buffersPerReader = 3;

export class StoredRange implements OpenRange {
  readonly from: Offset;
  readonly to: Offset;
  readonly #files: SegmentFiles;
  readonly #shared: SharedChunks;
  readonly #release: () => Promise<void>;
  readonly #readers: RangeReader[] = [];

  constructor(
    files: SegmentFiles,
    [from, to]: readonly [Offset, Offset],
    shared: SharedChunks,
    release: () => Promise<void>,
  ) {
    this.#files = files;
    this.from = from;
    this.to = to;
    this.#shared = shared;
    this.#release = release;
  }

  read(from: Offset = this.from, to: Offset = this.to): AsyncIterable<Uint8Array> {
    return this.#chunks(Math.max(from, this.from), Math.min(to, this.to));
  }

  async close(): Promise<void> {
    // Not earlier: the last chunks may still be on their way to the socket.
    for (const reader of this.#readers.splice(0)) reader.release();
    await this.#release();
  }

  async *#chunks(from: Offset, to: Offset): AsyncGenerator<Uint8Array, void, undefined> {
    if (to <= from) return;
    const reader = new RangeReader(this.#files, [from, to], this.#shared);
    this.#readers.push(reader);
    let coming = reader.next();
    try {
      for (;;) {
        const chunk = await coming;
        if (chunk.length === 0) return;
        coming = reader.next();
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

/** Chunks that readers share; where these have no room, small buffers of its own. */
class RangeReader {
  readonly #reader: SegmentReader;
  readonly #files: SegmentFiles;
  readonly #shared: SharedChunks;
  readonly #own: Buffer[] = [];
  readonly #ownBytes: number;
  readonly #steadyFrom: Offset;
  readonly #to: Offset;
  #at: Offset;
  #round = 0;
  readonly #inUse: SharedChunk[] = [];
  #leave: (() => void) | undefined;
  #sharesNoMore = false;
  #isReleased = false;

  constructor(files: SegmentFiles, [from, to]: readonly [Offset, Offset], shared: SharedChunks) {
    this.#reader = new SegmentReader(files, to);
    this.#files = files;
    this.#shared = shared;
    this.#at = from;
    this.#to = to;
    this.#steadyFrom = from + steadyBytes;
    this.#ownBytes = Math.min(smallBytes, to - from);
  }

  /** Empty at the end. */
  async next(): Promise<Uint8Array> {
    const chunk = (await this.#nextShared()) ?? (await this.#nextOwn());
    this.#at += chunk.length;
    return chunk;
  }

  /** Undefined where the chunk is not wanted as a whole, has no room in memory, or could not be read to its end. */
  async #nextShared(): Promise<Uint8Array | undefined> {
    if (this.#sharesNoMore || this.#isReleased) return undefined;
    const address = this.#chunkAt(this.#at);
    if (!address || address.from !== this.#at || address.to > this.#to) return undefined;
    this.#leave ??= this.#shared.join();
    // The consumer has asked for two chunks since.
    if (this.#inUse.length >= buffersPerReader) this.#inUse.shift()?.release();
    try {
      const kind = this.#at < this.#steadyFrom ? 'new' : 'steady';
      const chunk = await this.#shared.acquire(address, (into) => this.#load(into, address), kind);
      if (this.#isReleased) chunk?.release();
      else if (chunk) this.#inUse.push(chunk);
      return chunk?.bytes;
    } catch {
      // Reading it again in small parts gives what precedes the damage, then the error.
      this.#sharesNoMore = true;
      return undefined;
    }
  }

  async #load(into: Buffer, { from, to }: ChunkAddress): Promise<void> {
    for (let at = from; at < to; ) at += (await this.#reader.fill(into.subarray(at - from), at, to)).length;
  }

  /**
   * The chunk that an offset belongs to. Chunks are parts of one segment and begin where its blocks do, so that each block is read and checked
   * once. Undefined in a segment, or the rest of one, that is too small.
   */
  #chunkAt(at: Offset): ChunkAddress | undefined {
    const { stream, segments } = this.#files;
    const segment = segments[indexOfSegment(segments, at)];
    if (!segment) return undefined;
    const { startByte, bytes } = segment;
    if (bytes < sharedBytesMin) return undefined;
    // What would be left behind the last one belongs to it.
    const last = Math.max(0, Math.ceil((bytes - sharedBytesMin + 1) / chunkBytes) - 1);
    const index = Math.min(last, Math.floor((at - startByte) / chunkBytes));
    const from = startByte + index * chunkBytes;
    return { stream, from, to: index === last ? startByte + bytes : from + chunkBytes };
  }

  #nextOwn(): Promise<Uint8Array> {
    this.#round += 1;
    const buffer = this.#ownBuffer(this.#round % buffersPerReader);
    const to = this.#sharesNoMore ? this.#to : this.#ownUntil(buffer.length);
    return this.#reader.fill(buffer, this.#at, to);
  }

  #ownBuffer(index: number): Buffer {
    this.#own[index] ??= Buffer.allocUnsafeSlow(this.#ownBytes);
    return this.#own[index];
  }

  /** Where the next chunk begins, if that is within so many bytes. */
  #ownUntil(bytes: number): Offset {
    const end = Math.min(this.#to, this.#at + bytes);
    const current = this.#chunkAt(this.#at);
    if (current) return Math.min(end, current.to);
    const { segments } = this.#files;
    for (let index = indexOfSegment(segments, this.#at) + 1; index < segments.length; index += 1) {
      const { startByte, bytes: size } = segments[index] as Segment;
      if (startByte >= end) break;
      if (size >= sharedBytesMin) return startByte;
    }
    return end;
  }

  /** Its chunks stay in use until `release`. */
  close(): Promise<void> {
    return this.#reader.close();
  }

  release(): void {
    this.#isReleased = true;
    for (const chunk of this.#inUse.splice(0)) chunk.release();
    this.#leave?.();
  }
}
