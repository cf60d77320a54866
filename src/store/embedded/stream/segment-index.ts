/**
 * The committed segments of each stream, with the lines that only the journal has yet: it is asked first, see `journal/journal-tail.ts`. Every
 * query is a few index lookups, however much is kept.
 */
import type { Offset, StreamName, StreamState } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { JournalTail } from './journal/journal-tail.ts';

export interface Segment {
  readonly minute: number;
  readonly startByte: Offset;
  readonly bytes: number;
  /** CRC-32 of these bytes. */
  readonly checksum: number;
  /** Undefined for a segment that a version before 0.2 began. */
  readonly blockChecksums: Uint8Array | undefined;
}

interface Row {
  readonly minute: number;
  readonly start_byte: number;
  readonly start_line: number;
  readonly bytes: number;
  readonly lines: number;
}

interface CheckedRow extends Row {
  readonly checksum: number;
  readonly block_checksums: Uint8Array | null;
}

export class SegmentIndex {
  readonly #journal: JournalTail;
  readonly #bytesOf;
  readonly #first;
  readonly #last;
  readonly #fromMinute;
  readonly #containing;
  readonly #between;
  readonly #names;
  readonly #bytes;

  constructor(database: Database, journal: JournalTail) {
    this.#journal = journal;
    const segment = 'select minute, start_byte, start_line, bytes, lines from segment where stream = ?';
    this.#bytesOf = database.prepare('select bytes from stream where name = ?').pluck();
    this.#first = database.prepare(`${segment} order by minute limit 1`);
    this.#last = database.prepare(`${segment} order by minute desc limit 1`);
    this.#fromMinute = database.prepare(`${segment} and minute >= ? order by minute limit 1`);
    this.#containing = database.prepare(`${segment} and start_byte <= ? order by start_byte desc limit 1`);
    this.#between = database.prepare(
      'select minute, start_byte, start_line, bytes, lines, checksum, block_checksums from segment where stream = ? ' +
        'and minute >= ? and start_byte < ? order by minute',
    );
    this.#names = database.prepare('select name from stream order by name').pluck();
    this.#bytes = database.prepare('select coalesce(sum(bytes), 0) from segment').pluck();
  }

  findState(stream: StreamName): StreamState | undefined {
    this.#journal.refresh();
    const first = this.#first.get(stream) as Row | undefined;
    const last = this.#grown(stream, this.#last.get(stream) as Row | undefined);
    if (first && last)
      return {
        earliestMinute: first.minute,
        latestMinute: last.minute,
        start: first.start_byte,
        end: last.start_byte + last.bytes,
        lines: last.start_line + last.lines - first.start_line,
      };
    // Not read before: who removes the last segment notes the total.
    const end = this.#bytesOf.get(stream) as number | undefined;
    return end === undefined ? undefined : { earliestMinute: 0, latestMinute: 0, start: end, end, lines: 0 };
  }

  offsetAt(stream: StreamName, minute: number): Offset {
    const segment = this.#fromMinute.get(stream, minute) as Row | undefined;
    return segment?.start_byte ?? this.findState(stream)?.end ?? 0;
  }

  countLines(stream: StreamName, from: Offset, to: Offset): number {
    if (to <= from) return 0;
    this.#journal.refresh();
    const first =
      (this.#containing.get(stream, from) as Row | undefined) ?? (this.#first.get(stream) as Row | undefined);
    const last = this.#grown(stream, this.#containing.get(stream, to - 1) as Row | undefined);
    if (!first || !last) return 0;
    return Math.max(0, last.start_line + last.lines - first.start_line);
  }

  /** The minute of the segment that contains an offset, or else of the first that is kept. */
  findMinute(stream: StreamName, offset: Offset): number | undefined {
    const row =
      (this.#containing.get(stream, offset) as Row | undefined) ??
      (this.#first.get(stream) as Row | undefined);
    return row?.minute;
  }

  /** The segments from a minute on that begin before an offset, in order. */
  listBetween(stream: StreamName, fromMinute: number, to: Offset): Segment[] {
    this.#journal.refresh();
    const rows = this.#between.all(stream, fromMinute, to) as CheckedRow[];
    return rows.map(({ minute, start_byte, block_checksums, ...indexed }) => {
      const blockChecksums = block_checksums ?? undefined;
      const content = this.#journal.contentOf(stream, start_byte, { ...indexed, blockChecksums });
      const { bytes, checksum } = content;
      return { minute, startByte: start_byte, bytes, checksum, blockChecksums: content.blockChecksums };
    });
  }

  /** Of all streams, roughly: without what only the journal has. */
  countBytes(): number {
    return this.#bytes.get() as number;
  }

  listStreams(): StreamName[] {
    return this.#names.all() as StreamName[];
  }

  /** With the lines that only the journal has. */
  #grown(stream: StreamName, row: Row | undefined): Row | undefined {
    if (!row) return undefined;
    const { bytes, lines } = this.#journal.sizeBehind(stream, {
      startByte: row.start_byte,
      bytes: row.bytes,
    });
    return { ...row, bytes: row.bytes + bytes, lines: row.lines + lines };
  }
}
