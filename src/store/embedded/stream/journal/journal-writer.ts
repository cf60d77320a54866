/**
 * Appends a few lines to a segment that exists, without a thread and without a transaction of the index: they are written to the segment file and
 * to the journal, and only the journal is synced. The lock of the index keeps other writers out meanwhile. Appends that arrive while others wait for
 * the disk are written together.
 */
import type { Lines, StreamName } from '../../../stream-store.ts';
import type { Database } from '../../database.ts';
import type { FileOperations } from '../file-operations.ts';
import { segmentPath } from '../segment-files.ts';
import {
  encodeRecords,
  type JournalFile,
  type JournalRecord,
  journalBytes,
  recordBytes,
} from './journal-file.ts';
import type { JournalTail } from './journal-tail.ts';

/** Of an append. What is larger waits for the disk anyway. */
export const smallBytes = 4096;

const batchBytesMax = journalBytes / 2;

interface Append extends Lines {
  readonly minute: number;
  /** False: not by way of the journal. */
  readonly resolve: (isAppended: boolean) => void;
}

/** As the index has it. */
interface LastSegment {
  readonly minute: number;
  readonly startByte: number;
  readonly bytes: number;
}

interface OpenFile {
  readonly stream: StreamName;
  readonly minute: number;
  readonly path: string;
  readonly file: number;
}

/** What a batch writes to one segment file. */
interface Part {
  readonly segment: LastSegment;
  readonly open: OpenFile;
  readonly position: number;
  readonly lines: Uint8Array[];
  bytes: number;
}

interface Needs {
  readonly root: string;
  /** Of the index, and for nothing but this. */
  readonly lock: Database;
  readonly file: JournalFile;
  readonly tail: JournalTail;
  readonly files: FileOperations;
  /** Empties the journal. */
  settle(): Promise<unknown>;
}

export class JournalWriter {
  readonly #needs: Needs;
  readonly #begin;
  readonly #end;
  readonly #dataVersion;
  readonly #tokenOf;
  readonly #lastOf;
  readonly #open = new Map<StreamName, OpenFile>();
  /** The minute of the damaged last segment of a stream. */
  readonly #sealed = new Map<StreamName, number>();
  #queue: Append[] = [];
  #writing: Promise<void> | undefined;
  /** Of the index, until somebody else commits. */
  #known = { version: -1, token: -1, last: new Map<StreamName, LastSegment | undefined>() };

  constructor(needs: Needs) {
    this.#needs = needs;
    const { lock } = needs;
    this.#begin = lock.prepare('begin immediate');
    this.#end = lock.prepare('rollback');
    this.#dataVersion = lock.prepare('pragma data_version').pluck();
    this.#tokenOf = lock.prepare('select token from journal').pluck();
    this.#lastOf = lock.prepare(
      'select minute, start_byte as startByte, bytes from segment where stream = ? order by minute desc limit 1',
    );
  }

  /** True: durable and readable. False: nothing is appended, and this is not the way for it now. */
  append({ stream, bytes }: Lines, minute: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#queue.push({ stream, bytes, minute, resolve });
      this.#writing ??= this.#writeAll();
    });
  }

  /** See `SegmentWriter.seal`. */
  seal(stream: StreamName, minute: number): void {
    this.#sealed.set(stream, minute);
  }

  /** When nothing is appended any more. */
  async close(): Promise<void> {
    await this.#writing;
    for (const open of this.#open.values()) this.#close(open);
    this.#needs.lock.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      let areAppended: readonly boolean[] = [];
      try {
        const isWritten = () => this.#locked(() => this.#write(batch));
        areAppended = (await isWritten()) ?? (await this.#needs.settle(), await isWritten()) ?? [];
      } catch {
        // The other way of appending meets the same failure, and says so.
      }
      for (const [index, { resolve }] of batch.entries()) resolve(areAppended[index] ?? false);
    }
    this.#writing = undefined;
  }

  #takeBatch(): Append[] {
    let bytes = 0;
    let count = 0;
    for (const append of this.#queue) {
      bytes += recordBytes(append);
      if (count > 0 && bytes > batchBytesMax) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#begin.run();
    try {
      return await work();
    } finally {
      this.#end.run();
    }
  }

  /** Undefined if there is no room in the journal. */
  async #write(batch: readonly Append[]): Promise<readonly boolean[] | undefined> {
    const { file, tail } = this.#needs;
    const token = this.#readIndex();
    tail.refreshLocked(token);
    const size = batch.reduce((sum, append) => sum + recordBytes(append), 0);
    if (tail.end + size > journalBytes) return undefined;
    const parts = new Map<StreamName, Part>();
    const placed = batch.map((append) => this.#place(append, parts));
    const records = placed.filter((record) => record !== undefined);
    if (records.length > 0) {
      const { encoded, stored } = encodeRecords(records, tail.end, tail.checksum);
      const end = tail.end + encoded.length;
      const isDurable = file.append(encoded, tail.end);
      try {
        // Meanwhile. Nobody reads them before the header counts the records.
        for (const part of parts.values()) this.#writeLines(part);
      } finally {
        await isDurable;
      }
      file.writeHeader({ token, bytes: end });
      tail.add(stored);
    }
    return placed.map((record) => record !== undefined);
  }

  /** Undefined where the lines do not continue the last segment of the stream. */
  #place({ stream, bytes, minute }: Append, parts: Map<StreamName, Part>): JournalRecord | undefined {
    const part = parts.get(stream) ?? this.#findPart(stream);
    if (!part || part.segment.minute < minute) return undefined;
    parts.set(stream, part);
    const position = part.position + part.bytes;
    part.lines.push(bytes);
    part.bytes += bytes.length;
    return { stream, minute: part.segment.minute, startByte: part.segment.startByte, position, bytes };
  }

  #findPart(stream: StreamName): Part | undefined {
    const segment = this.#findLast(stream);
    if (!segment || this.#sealed.get(stream) === segment.minute) return undefined;
    const open = this.#fileOf(stream, segment.minute);
    if (!open) return undefined;
    const position = segment.bytes + this.#needs.tail.sizeBehind(stream, segment).bytes;
    return { segment, open, position, lines: [], bytes: 0 };
  }

  /** Throws where somebody removed the file. If another was put there, it gets the lines when the journal is settled. */
  #writeLines({ open, position, lines }: Part): void {
    const { files } = this.#needs;
    files.write(open.file, Buffer.concat(lines), position);
    if (files.exists(open.path)) return;
    this.#close(open);
    throw new Error(`${open.path} was removed`);
  }

  /** Undefined where somebody removed it: a file made anew would have a hole where its lines were. */
  #fileOf(stream: StreamName, minute: number): OpenFile | undefined {
    const known = this.#open.get(stream);
    if (known?.minute === minute) return known;
    if (known) this.#close(known);
    const path = segmentPath(this.#needs.root, stream, minute);
    const file = this.#needs.files.openExisting(path);
    if (file === undefined) return undefined;
    const opened = { stream, minute, path, file };
    this.#open.set(stream, opened);
    return opened;
  }

  #close({ stream, file }: OpenFile): void {
    this.#open.delete(stream);
    this.#needs.files.close(file);
  }

  /** Forgets what it has of the index if somebody else committed. Gives the token of the journal. */
  #readIndex(): number {
    const version = this.#dataVersion.get() as number;
    if (version !== this.#known.version)
      this.#known = { version, token: this.#tokenOf.get() as number, last: new Map() };
    return this.#known.token;
  }

  #findLast(stream: StreamName): LastSegment | undefined {
    const { last } = this.#known;
    if (!last.has(stream)) last.set(stream, this.#lastOf.get(stream) as LastSegment | undefined);
    return last.get(stream);
  }
}
