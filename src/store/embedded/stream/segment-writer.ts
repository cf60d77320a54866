/**
 * Writes segment files. The index says how many bytes of each are committed: an append writes behind them and syncs before its
 * transaction commits the new length. The transaction's lock keeps other processes out, so a failure or crash on the way leaves
 * only uncommitted bytes, which no reader sees and the next append overwrites. Small appends to a segment do without that sync: their
 * lines are committed with the length, in `unsynced-lines.ts`.
 */
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { countLines } from '../../../model/count-lines.ts';
import { appendChecksums } from '../../checked-file/block-checksums.ts';
import type { StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { segmentPath, streamDirectory } from './segment-files.ts';
import { type SegmentRef, UnsyncedLines } from './unsynced-lines.ts';

/** The lines of an append up to this size are committed to the database as well, instead of a sync. */
const smallBytes = 4096;

/** Of a segment. Then it is synced, with the next append. */
const unsyncedBytesMax = 65_536;

interface LastSegment {
  readonly minute: number;
  readonly start_byte: number;
  readonly start_line: number;
  readonly bytes: number;
  readonly lines: number;
  readonly checksum: number;
  /** Null if an earlier version began the segment. */
  readonly block_checksums: Uint8Array | null;
  readonly unsynced_bytes: number;
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
  /** The minute of the damaged last segment of a stream. */
  readonly #sealed = new Map<StreamName, number>();
  readonly #unsynced = new Set<number>();
  readonly #unsyncedDirectories = new Set<string>();
  readonly #unsyncedLines: UnsyncedLines;
  readonly #last;
  readonly #stream;
  readonly #insertSegment;
  readonly #commit;
  readonly #insertStream;

  constructor(root: string, database: Database, files: FileOperations) {
    this.#root = root;
    this.#files = files;
    this.#unsyncedLines = new UnsyncedLines(database, files);
    this.#last = database.prepare('select * from segment where stream = ? order by minute desc limit 1');
    this.#stream = database.prepare('select bytes, lines from stream where name = ?');
    this.#insertSegment = database.prepare(
      'insert into segment (stream, minute, start_byte, start_line, bytes, lines, checksum, block_checksums) ' +
        "values (?, ?, ?, ?, 0, 0, 0, x'') returning *",
    );
    this.#commit = database.prepare(
      'update segment set bytes = ?, lines = ?, checksum = ?, block_checksums = ?, unsynced_bytes = ? ' +
        'where stream = ? and minute = ?',
    );
    this.#insertStream = database.prepare(
      'insert into stream (name, bytes, lines) values (?, 0, 0) on conflict do nothing',
    );
  }

  /** Within a transaction; `sync` must follow before it commits. */
  append(stream: StreamName, bytes: Uint8Array, minuteNow: number): void {
    if (bytes.length === 0) return;
    const last = this.#last.get(stream) as LastSegment | undefined;
    const { segment, file } = this.#continued(stream, last, minuteNow) ?? this.#next(stream, last, minuteNow);
    this.#files.write(file.file, bytes, segment.bytes);
    const unsyncedBytes = this.#syncLater(stream, segment, file, bytes);
    this.#commit.run(
      segment.bytes + bytes.length,
      segment.lines + countLines(bytes),
      crc32(bytes, segment.checksum),
      segment.block_checksums && appendChecksums(segment.block_checksums, segment.bytes, bytes),
      unsyncedBytes,
      stream,
      segment.minute,
    );
  }

  /** Appends no more to a segment that is damaged: what comes behind the damage could not be read. */
  seal(stream: StreamName, minute: number): void {
    this.#sealed.set(stream, minute);
  }

  /** Within a transaction: all lines are durable in their files. */
  settleAll(): void {
    for (const segment of this.#unsyncedLines.segments()) this.#settle(segment);
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

  /** The last segment, if the append belongs to it and it can be continued. */
  #continued(stream: StreamName, last: LastSegment | undefined, minuteNow: number) {
    if (!last || last.minute < minuteNow || this.#sealed.get(stream) === last.minute) return undefined;
    const known = this.#open.get(stream);
    if (known?.minute === last.minute && this.#files.hasName(known.file))
      return { segment: last, file: known };
    const file = this.#files.openExisting(segmentPath(this.#root, stream, last.minute));
    // Somebody removed it: a file made anew would have a hole where its lines were.
    if (file === undefined) return undefined;
    return { segment: last, file: this.#replaceOpen(stream, { minute: last.minute, file }) };
  }

  /** A new segment; the last one is synced for good. */
  #next(stream: StreamName, last: LastSegment | undefined, minuteNow: number) {
    if (last && last.unsynced_bytes > 0) this.#settle({ stream, minute: last.minute });
    if (!last) this.#insertStream.run(stream);
    const [startByte, startLine] = last
      ? [last.start_byte + last.bytes, last.start_line + last.lines]
      : this.#total(stream);
    const minute = Math.max(minuteNow, (last?.minute ?? -1) + 1);
    return {
      segment: this.#insertSegment.get(stream, minute, startByte, startLine) as LastSegment,
      file: this.#begin(stream, minute),
    };
  }

  /** Bytes and lines ever appended to a stream without segments. */
  #total(stream: StreamName): readonly [bytes: number, lines: number] {
    const { bytes, lines } = this.#stream.get(stream) as { bytes: number; lines: number };
    return [bytes, lines];
  }

  /** Decides whether the file is synced with this transaction. Gives how many bytes of it are not, with these. */
  #syncLater(
    stream: StreamName,
    segment: Pick<LastSegment, 'bytes' | 'unsynced_bytes'>,
    { file, minute }: OpenFile,
    bytes: Uint8Array,
  ): number {
    const unsyncedBytes = segment.unsynced_bytes + bytes.length;
    // A new file needs a sync of its directory anyway.
    const mayWait = segment.bytes > 0 && bytes.length <= smallBytes && unsyncedBytes <= unsyncedBytesMax;
    if (mayWait && !this.#unsynced.has(file)) {
      this.#unsyncedLines.add({ stream, minute }, segment.bytes, bytes);
      return unsyncedBytes;
    }
    if (segment.unsynced_bytes > 0) this.#unsyncedLines.moveTo(file, { stream, minute });
    this.#unsynced.add(file);
    return 0;
  }

  /** Makes the lines durable in their file, if it is still there. */
  #settle(segment: SegmentRef): void {
    const { stream, minute } = segment;
    const known = this.#open.get(stream);
    const isOpen = known?.minute === minute && this.#files.hasName(known.file);
    const file = isOpen ? known.file : this.#files.openExisting(segmentPath(this.#root, stream, minute));
    if (file === undefined) return this.#unsyncedLines.forget(segment);
    try {
      this.#unsyncedLines.moveTo(file, segment);
      this.#files.sync(file);
    } finally {
      if (!isOpen) this.#close(file);
    }
  }

  #begin(stream: StreamName, minute: number): OpenFile {
    const path = segmentPath(this.#root, stream, minute);
    this.#files.makeDirectory(streamDirectory(this.#root, stream));
    this.#unsyncedDirectories.add(dirname(path)).add(this.#root);
    return this.#replaceOpen(stream, { minute, file: this.#files.open(path) });
  }

  #replaceOpen(stream: StreamName, next: OpenFile): OpenFile {
    const known = this.#open.get(stream);
    this.#open.set(stream, next);
    if (known) {
      // This transaction may have written to it.
      if (this.#unsynced.delete(known.file)) this.#files.sync(known.file);
      this.#close(known.file);
    }
    return next;
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
