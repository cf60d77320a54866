/**
 * Moves what the journal has to where it belongs: into the index, and durably into the segment files. With a connection to the index that syncs
 * its commits; the lock of each transaction keeps appends out.
 */
import { randomInt } from 'node:crypto';
import { type Database, write } from '../../database.ts';
import type { FileOperations } from '../file-operations.ts';
import { growSegment, type SegmentContent } from '../segment-content.ts';
import { segmentPath } from '../segment-files.ts';
import { SegmentRows } from '../segment-rows.ts';
import {
  firstChecksum,
  type JournalFile,
  type JournalRecord,
  journalBytes,
  type SegmentId,
} from './journal-file.ts';
import { JournalTail } from './journal-tail.ts';
import { settleOlderLines } from './settle-older-lines.ts';

interface State {
  readonly token: number;
  readonly applied_bytes: number;
}

const tokensMax = 2 ** 48 - 1;

export class JournalSettlement {
  readonly #root: string;
  readonly #database: Database;
  readonly #files: FileOperations;
  readonly #file: JournalFile;
  readonly #tail: JournalTail;
  readonly #state;
  readonly #rows: SegmentRows;
  readonly #setApplied;
  readonly #setToken;

  constructor(root: string, database: Database, files: FileOperations, file: JournalFile) {
    this.#root = root;
    this.#database = database;
    this.#files = files;
    this.#file = file;
    this.#tail = new JournalTail(file);
    this.#state = database.prepare('select token, applied_bytes from journal');
    this.#rows = new SegmentRows(database);
    this.#setApplied = database.prepare('update journal set applied_bytes = ?');
    this.#setToken = database.prepare('update journal set token = ?, applied_bytes = 0');
  }

  /** Within a transaction: the index has all lines that were acknowledged. They stay in the journal, because their files are not synced. */
  apply(): void {
    const { token, applied_bytes } = this.#state.get() as State;
    this.#tail.refreshLocked(token);
    if (this.#tail.end === applied_bytes) return;
    for (const segment of this.#tail.segments()) {
      const { stream, minute, startByte } = segment;
      const content = this.#indexed(segment);
      if (content) this.#rows.setContent(stream, minute, this.#tail.contentOf(stream, startByte, content));
    }
    this.#setApplied.run(this.#tail.end);
  }

  /** All lines are durable in their files, and the journal begins anew. */
  async settle(): Promise<void> {
    // Usual, and needs no lock.
    if (this.#file.readHeader()?.bytes === 0) return;
    await this.#beginAnew(() => {
      this.apply();
      const { end, token } = this.#tail;
      return end > 0 ? this.#file.read(0, end, firstChecksum(token)) : undefined;
    });
  }

  /**
   * The same after a crash or a power failure, when the header may be any. A record that nobody acknowledged is added, or left where other lines
   * were appended in its place. Gives what was lost, because the disk damaged it.
   */
  async recover(): Promise<readonly string[]> {
    const lost: string[] = [];
    await this.#beginAnew(() => {
      this.#file.create(this.#root);
      settleOlderLines(this.#root, this.#database, this.#files);
      const { token, applied_bytes } = this.#state.get() as State;
      const records = this.#file.read(0, journalBytes, firstChecksum(token));
      const end = records.at(-1)?.to ?? 0;
      const header = this.#file.readHeader();
      const published = header?.token === token ? header.bytes : 0;
      if (published > end) lost.push(`lines behind byte ${end} of ${this.#file.path} are damaged`);
      if (Math.max(published, applied_bytes, end) === 0) return undefined;
      return records.filter((record) => record.from < applied_bytes || this.#add(record));
    });
    return lost;
  }

  /** What a crash has left, unless something else is in its place, or the segment was pruned. */
  #add(record: JournalRecord): boolean {
    const content = this.#indexed(record);
    if (record.position !== content?.bytes) return false;
    this.#rows.setContent(record.stream, record.minute, growSegment(content, record.bytes));
    return true;
  }

  /** With a new token, once the records that `work` gives are durable in their files; undefined if nothing has begun. */
  async #beginAnew(work: () => readonly JournalRecord[] | undefined): Promise<void> {
    await write(this.#database, () => {
      const records = work();
      if (!records) return;
      this.#writeLines(records);
      this.#setToken.run(randomInt(tokensMax));
    });
    // Only now: a header that is ahead of the index would hide what was acknowledged.
    await write(this.#database, () => {
      const { token } = this.#state.get() as State;
      if (this.#file.readHeader()?.token !== token) this.#file.writeHeader({ token, bytes: 0 });
    });
  }

  /** Undefined where the segment was pruned. */
  #indexed({ stream, minute, startByte }: SegmentId): SegmentContent | undefined {
    const row = this.#rows.find(stream, minute);
    return row?.startByte === startByte ? row.content : undefined;
  }

  /** To the files, synced. Lines are written once more, because after a failed sync a file may seem to have what the disk has not. */
  #writeLines(records: readonly JournalRecord[]): void {
    const bySegment = new Map<string, JournalRecord[]>();
    for (const record of records) {
      const key = `${record.stream} ${record.startByte}`;
      const known = bySegment.get(key);
      if (known) known.push(record);
      else if (this.#indexed(record)) bySegment.set(key, [record]);
    }
    for (const ofSegment of bySegment.values()) this.#writeSegment(ofSegment);
  }

  #writeSegment(records: readonly JournalRecord[]): void {
    const [{ stream, minute }] = records as [JournalRecord];
    const file = this.#files.openExisting(segmentPath(this.#root, stream, minute));
    if (file === undefined) return;
    try {
      for (const { position, bytes } of joined(records)) this.#files.write(file, bytes, position);
      this.#files.sync(file);
    } finally {
      this.#files.close(file);
    }
  }
}

/** Lines that follow one another are written at once. */
function joined(records: readonly JournalRecord[]): { readonly position: number; readonly bytes: Buffer }[] {
  const runs: { readonly position: number; readonly parts: Uint8Array[]; end: number }[] = [];
  for (const { position, bytes } of records) {
    const last = runs.at(-1);
    if (last?.end === position) {
      last.parts.push(bytes);
      last.end += bytes.length;
    } else runs.push({ position, parts: [bytes], end: position + bytes.length });
  }
  return runs.map(({ position, parts }) => ({ position, bytes: Buffer.concat(parts) }));
}
