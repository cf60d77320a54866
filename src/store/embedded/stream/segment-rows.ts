/** The rows of segments in the index, as writers read and change them within a transaction. */
import type { StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { SegmentContent } from './segment-content.ts';

export interface SegmentRow {
  readonly minute: number;
  readonly startByte: number;
  readonly startLine: number;
  readonly content: SegmentContent;
}

interface Stored {
  readonly minute: number;
  readonly start_byte: number;
  readonly start_line: number;
  readonly bytes: number;
  readonly lines: number;
  readonly checksum: number;
  readonly block_checksums: Uint8Array | null;
}

export class SegmentRows {
  readonly #one;
  readonly #last;
  readonly #insert;
  readonly #setContent;

  constructor(database: Database) {
    const columns = 'minute, start_byte, start_line, bytes, lines, checksum, block_checksums';
    const select = `select ${columns} from segment where stream = ?`;
    this.#one = database.prepare(`${select} and minute = ?`);
    this.#last = database.prepare(`${select} order by minute desc limit 1`);
    this.#insert = database.prepare(
      'insert into segment (stream, minute, start_byte, start_line, bytes, lines, checksum, block_checksums) ' +
        `values (?, ?, ?, ?, 0, 0, 0, x'') returning ${columns}`,
    );
    this.#setContent = database.prepare(
      'update segment set bytes = ?, lines = ?, checksum = ?, block_checksums = ? where stream = ? and minute = ?',
    );
  }

  find(stream: StreamName, minute: number): SegmentRow | undefined {
    return rowOf(this.#one.get(stream, minute) as Stored | undefined);
  }

  findLast(stream: StreamName): SegmentRow | undefined {
    return rowOf(this.#last.get(stream) as Stored | undefined);
  }

  /** An empty segment. */
  insert(stream: StreamName, minute: number, startByte: number, startLine: number): SegmentRow {
    return rowOf(this.#insert.get(stream, minute, startByte, startLine) as Stored);
  }

  setContent(stream: StreamName, minute: number, content: SegmentContent): void {
    const { bytes, lines, checksum, blockChecksums = null } = content;
    this.#setContent.run(bytes, lines, checksum, blockChecksums, stream, minute);
  }
}

function rowOf(stored: Stored): SegmentRow;
function rowOf(stored: Stored | undefined): SegmentRow | undefined;
function rowOf(stored: Stored | undefined): SegmentRow | undefined {
  if (!stored) return undefined;
  const { minute, start_byte, start_line, bytes, lines, checksum, block_checksums } = stored;
  const content = { bytes, lines, checksum, blockChecksums: block_checksums ?? undefined };
  return { minute, startByte: start_byte, startLine: start_line, content };
}
