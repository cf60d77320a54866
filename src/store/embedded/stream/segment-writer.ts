/**
 * Writes segment files. The index says how many bytes of each are committed: an append writes behind them and syncs before its
 * transaction commits the new length. The transaction's lock keeps other processes out, so a failure or crash on the way leaves
 * only uncommitted bytes, which no reader sees and the next append overwrites. Small appends have a shorter way, `journal/`.
 */
import { dirname } from 'node:path';
import type { StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { growSegment } from './segment-content.ts';
import { segmentPath, streamDirectory } from './segment-files.ts';
import { type SegmentRow, SegmentRows } from './segment-rows.ts';

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
  readonly #rows: SegmentRows;
  readonly #stream;
  readonly #insertStream;

  constructor(root: string, database: Database, files: FileOperations) {
    this.#root = root;
    this.#files = files;
    this.#rows = new SegmentRows(database);
    this.#stream = database.prepare('select bytes, lines from stream where name = ?');
    this.#insertStream = database.prepare(
      'insert into stream (name, bytes, lines) values (?, 0, 0) on conflict do nothing',
    );
  }

  /** Within a transaction; `sync` must follow before it commits. */
  append(stream: StreamName, bytes: Uint8Array, minuteNow: number): void {
    if (bytes.length === 0) return;
    const last = this.#rows.findLast(stream);
    const { segment, file } = this.#continued(stream, last, minuteNow) ?? this.#next(stream, last, minuteNow);
    const { minute, content } = segment;
    this.#files.write(file.file, bytes, content.bytes);
    this.#unsynced.add(file.file);
    this.#rows.setContent(stream, minute, growSegment(content, bytes));
  }

  /** Appends no more to a segment that is damaged: what comes behind the damage could not be read. */
  seal(stream: StreamName, minute: number): void {
    this.#sealed.set(stream, minute);
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
  #continued(stream: StreamName, last: SegmentRow | undefined, minuteNow: number) {
    if (!last || last.minute < minuteNow || this.#sealed.get(stream) === last.minute) return undefined;
    const known = this.#open.get(stream);
    if (known?.minute === last.minute && this.#files.hasName(known.file))
      return { segment: last, file: known };
    const file = this.#files.openExisting(segmentPath(this.#root, stream, last.minute));
    // Somebody removed it: a file made anew would have a hole where its lines were.
    if (file === undefined) return undefined;
    return { segment: last, file: this.#replaceOpen(stream, { minute: last.minute, file }) };
  }

  #next(stream: StreamName, last: SegmentRow | undefined, minuteNow: number) {
    if (!last) this.#insertStream.run(stream);
    const [startByte, startLine] = last
      ? [last.startByte + last.content.bytes, last.startLine + last.content.lines]
      : this.#total(stream);
    const minute = Math.max(minuteNow, (last?.minute ?? -1) + 1);
    return {
      segment: this.#rows.insert(stream, minute, startByte, startLine),
      file: this.#begin(stream, minute),
    };
  }

  /** Bytes and lines ever appended to a stream without segments. */
  #total(stream: StreamName): readonly [bytes: number, lines: number] {
    const { bytes, lines } = this.#stream.get(stream) as { bytes: number; lines: number };
    return [bytes, lines];
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
