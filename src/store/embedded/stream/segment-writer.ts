/**
 * Writes segment files. The index says how many bytes of each are committed: an append writes behind them and syncs before its
 * transaction commits the new length. The transaction's lock keeps other processes out, so a failure or crash on the way leaves
 * only uncommitted bytes, which no reader sees and the next append overwrites.
 */
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { countLines } from '../../../model/count-lines.ts';
import type { StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { segmentPath, streamDirectory } from './segment-files.ts';

const newline = 10;

interface LastSegment {
  readonly minute: number;
  readonly start_byte: number;
  readonly start_line: number;
  readonly bytes: number;
  readonly lines: number;
  readonly checksum: number;
}

interface OpenFile {
  readonly minute: number;
  readonly file: number;
}

export class SegmentWriter {
  readonly #root: string;
  readonly #files: FileOperations;
  /** The segment that each stream was last written to. */
  readonly #open = new Map<StreamName, OpenFile>();
  readonly #unsynced = new Set<number>();
  readonly #unsyncedDirectories = new Set<string>();
  readonly #last;
  readonly #stream;
  readonly #commitSegment;
  readonly #commitStream;

  constructor(root: string, database: Database, files: FileOperations) {
    this.#root = root;
    this.#files = files;
    this.#last = database.prepare('select * from segment where stream = ? order by minute desc limit 1');
    this.#stream = database.prepare('select bytes, lines from stream where name = ?');
    this.#commitSegment = database.prepare(
      'insert into segment (stream, minute, start_byte, start_line, bytes, lines, checksum) values (?, ?, ?, ?, ?, ?, ?) ' +
        'on conflict do update set bytes = excluded.bytes, lines = excluded.lines, checksum = excluded.checksum',
    );
    this.#commitStream = database.prepare(
      'insert into stream (name, bytes, lines) values (?, ?, ?) ' +
        'on conflict do update set bytes = excluded.bytes, lines = excluded.lines',
    );
  }

  /** Within a transaction; `sync` must follow before it commits. */
  append(stream: StreamName, bytes: Uint8Array, minuteNow: number): void {
    if (bytes.length === 0) return;
    const total = (this.#stream.get(stream) as { bytes: number; lines: number } | undefined) ?? {
      bytes: 0,
      lines: 0,
    };
    const last = this.#last.get(stream) as LastSegment | undefined;
    const minute = Math.max(minuteNow, last?.minute ?? 0);
    const segment =
      last?.minute === minute
        ? last
        : { start_byte: total.bytes, start_line: total.lines, bytes: 0, lines: 0, checksum: 0 };
    const file = this.#fileOf(stream, minute, segment.bytes === 0);
    this.#unsynced.add(file);
    this.#files.write(file, bytes, segment.bytes);
    const lines = countLines(bytes);
    this.#commitSegment.run(
      stream,
      minute,
      segment.start_byte,
      segment.start_line,
      segment.bytes + bytes.length,
      segment.lines + lines,
      crc32(bytes, segment.checksum),
    );
    this.#commitStream.run(stream, total.bytes + bytes.length, total.lines + lines);
  }

  /** Makes what was written durable. */
  sync(): void {
    for (const file of this.#unsynced) this.#files.sync(file);
    for (const directory of this.#unsyncedDirectories) this.#files.syncDirectory(directory);
    this.#unsynced.clear();
    this.#unsyncedDirectories.clear();
  }

  /** After a failed write or sync the content of open files is unknown, so they are reopened. */
  closeAll(): void {
    this.#unsynced.clear();
    for (const { file } of this.#open.values()) this.#close(file);
    this.#open.clear();
  }

  #fileOf(stream: StreamName, minute: number, isNew: boolean): number {
    const known = this.#open.get(stream);
    if (known?.minute === minute && !isNew && this.#files.hasName(known.file)) return known.file;
    const path = segmentPath(this.#root, stream, minute);
    if (isNew) {
      this.#files.makeDirectory(streamDirectory(this.#root, stream));
      this.#unsyncedDirectories.add(dirname(path)).add(this.#root);
    }
    const file = this.#files.open(path);
    this.#open.set(stream, { minute, file });
    if (known) {
      // This transaction may have written to it.
      if (this.#unsynced.delete(known.file)) this.#files.sync(known.file);
      this.#close(known.file);
    }
    return file;
  }

  /** The file is synced by now, or its content is not relied on: a failing close changes nothing. */
  #close(file: number): void {
    try {
      this.#files.close(file);
    } catch {
      // The descriptor is released even so.
    }
  }
}

/** Throws for an unfinished last line, which would join with the next append, and for empty lines. */
export function assertWholeLines(bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  if (bytes.at(-1) !== newline) throw new Error('the last line has no newline');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes[0] === newline || view.includes('\n\n')) throw new Error('a line is empty');
}
