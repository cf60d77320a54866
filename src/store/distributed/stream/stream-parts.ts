/**
 * The parts of a stream in order, wherever they are: segments in S3, then chunks in PostgreSQL. They are listed a few at a time while they are read,
 * since a chunk may become part of a segment meanwhile; the bytes between two offsets never change.
 */
import { crc32 } from 'node:zlib';
import { Problem } from '../../../model/problem.ts';
import { DamagedData } from '../../damage.ts';
import type { Offset, StreamName } from '../../stream-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { ObjectReader } from '../s3/object-reader.ts';

export interface StreamPart {
  readonly startByte: Offset;
  readonly size: number;
  /** Begins to read it, if it is not here yet. */
  prefetch(): void;
  /** Bytes from one position in the part up to but excluding another. Throws `DamagedData`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

interface SegmentRow {
  readonly start_byte: Offset;
  readonly size: number;
  readonly block_checksums: Buffer;
  readonly object: string;
}

interface ChunkRow {
  readonly start_byte: Offset;
  readonly checksum: number;
  readonly bytes: Buffer;
}

const segmentsPerPage = 32;
/** Of chunks that are read at once. */
const pageBytes = 1 << 20;
const chunksPerPage = 1000;
/** Segments of quiet minutes are small: so many are on their way while one is consumed. */
const partsAhead = 2;
/** Between two questions a part may have moved from one table to the other, but rarely again. */
const attemptsMax = 5;

export class StreamParts {
  readonly #database: PostgresDatabase;
  readonly #reader: ObjectReader;

  constructor(database: PostgresDatabase, reader: ObjectReader) {
    this.#database = database;
    this.#reader = reader;
  }

  /** Those between two offsets; throws where one is missing, so that there is never a hole. */
  async *scan(stream: StreamName, from: Offset, to: Offset): AsyncGenerator<StreamPart> {
    for (let at = from; at < to; ) {
      const parts = await this.#findParts(stream, at, to);
      for (const [index, part] of parts.entries()) {
        for (const next of parts.slice(index + 1, index + 1 + partsAhead)) next.prefetch();
        yield part;
        at = part.startByte + part.size;
      }
    }
  }

  /** The lines of chunks between two offsets at which chunks begin and end. */
  async *readChunks(stream: StreamName, from: Offset, to: Offset): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to; ) {
      const parts = await this.#chunksAt(stream, at, to);
      if (parts.length === 0) return;
      for (const part of parts) {
        yield* part.read(0, part.size);
        at = part.startByte + part.size;
      }
    }
  }

  /** At least one, the first of which contains the offset. */
  async #findParts(stream: StreamName, at: Offset, to: Offset): Promise<readonly StreamPart[]> {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const [segments, chunks] = await Promise.all([
        this.#segmentsAt(stream, at, to),
        this.#chunksAt(stream, at, to),
      ]);
      if (segments.length > 0) return segments;
      if (chunks.length > 0) return chunks;
    }
    const [head] = await this.#database.read(
      (sql) => sql<{ start: Offset }[]>`select start_byte as start from stream where name = ${stream}`,
    );
    if (!head || at < head.start)
      throw new Problem(
        'try-again',
        `lines of stream ${stream} were deleted while they were read; read again`,
      );
    throw new DamagedData({
      file: fileOf(stream),
      offset: at,
      problem: `lines of stream ${stream} are missing`,
    });
  }

  async #segmentsAt(stream: StreamName, at: Offset, to: Offset): Promise<readonly StreamPart[]> {
    const rows = await this.#database.read(
      (sql) => sql<SegmentRow[]>`
        select start_byte, size, block_checksums, object from stream_segment
        where stream = ${stream} and start_byte < ${to} and start_byte >= (
          select max(start_byte) from stream_segment where stream = ${stream} and start_byte <= ${at})
        order by start_byte limit ${segmentsPerPage}`,
    );
    return contiguous(
      at,
      rows.map((row) => this.#segmentOf(row)),
    );
  }

  async #chunksAt(stream: StreamName, at: Offset, to: Offset): Promise<readonly StreamPart[]> {
    const rows = await this.#database.read(
      (sql) => sql<ChunkRow[]>`
        select start_byte, checksum, bytes from (
          select start_byte, checksum, bytes, sum(size) over (order by start_byte) - size as before
          from stream_chunk where stream = ${stream} and start_byte < ${to} and start_byte >= (
            select max(start_byte) from stream_chunk where stream = ${stream} and start_byte <= ${at})
          order by start_byte limit ${chunksPerPage}) as page
        where before < ${pageBytes} order by start_byte`,
    );
    return contiguous(
      at,
      rows.map((row) => chunkOf(stream, row)),
    );
  }

  #segmentOf({
    start_byte: startByte,
    size,
    block_checksums: blockChecksums,
    object,
  }: SegmentRow): StreamPart {
    const stored = { key: object, bytes: size, blockChecksums };
    return {
      startByte,
      size,
      prefetch: () => this.#reader.prefetch(stored),
      read: (from, to) => this.#reader.read(stored, from, to),
    };
  }
}

function chunkOf(stream: StreamName, { start_byte: startByte, checksum, bytes }: ChunkRow): StreamPart {
  return {
    startByte,
    size: bytes.length,
    prefetch: () => undefined,
    read: async function* (from, to) {
      if (crc32(bytes) !== checksum) {
        const problem = `a chunk of stream ${stream} does not match its checksum`;
        throw new DamagedData({ file: fileOf(stream), offset: startByte, problem });
      }
      yield bytes.subarray(from, to);
    },
  };
}

/** The first parts that follow one another, from the one that contains the offset. */
function contiguous(at: Offset, parts: readonly StreamPart[]): readonly StreamPart[] {
  const [first] = parts;
  if (!first || first.startByte > at || first.startByte + first.size <= at) return [];
  const gap = parts.findIndex(({ startByte }, index) => {
    const before = parts[index - 1];
    return before !== undefined && startByte !== before.startByte + before.size;
  });
  return gap < 0 ? parts : parts.slice(0, gap);
}

/** For messages about what is stored in PostgreSQL. */
function fileOf(stream: StreamName): string {
  return `postgres/streams/${stream}`;
}
