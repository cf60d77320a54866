/**
 * Everything that changes streams: appends, producer marks, consumer offsets, retention. Operations run within `commit`, several in
 * one transaction.
 */
import { join } from 'node:path';
import { minuteMs } from '../../../model/durations.ts';
import type { FencingToken } from '../../lease/fencing-token.ts';
import type { Lines, ProducerMarkMove, StreamName } from '../../stream-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import { fences } from '../lease/fences.ts';
import { ConsumerOffsets } from './consumer-offsets.ts';
import { type FileOperations, realFiles } from './file-operations.ts';
import { JournalFile } from './journal/journal-file.ts';
import { JournalSettlement } from './journal/settle-journal.ts';
import { ProducerMarks } from './producer-marks.ts';
import type { RangeLeases } from './range-leases.ts';
import { type DamagedSegment, repairSegments } from './repair-segments.ts';
import { minuteOf, streamDirectory } from './segment-files.ts';
import { SegmentWriter } from './segment-writer.ts';

export interface Repair {
  /** What is damaged, or was lost. */
  readonly faults: readonly string[];
  /** Segments to which nothing more is appended. */
  readonly damaged: readonly DamagedSegment[];
}

export class StreamLog {
  readonly offsets: ConsumerOffsets;
  readonly marks: ProducerMarks;
  readonly #root: string;
  readonly #database: Database;
  readonly #files: FileOperations;
  readonly #segments: SegmentWriter;
  readonly #journalFile: JournalFile;
  readonly #journal: JournalSettlement;
  #isRecovered = false;
  readonly #fences: ReturnType<typeof fences>;

  constructor(root: string, files: FileOperations = realFiles) {
    this.#root = root;
    this.#files = files;
    this.#database = openDatabase(join(root, 'streams.db'), 'streams', 'full');
    this.#segments = new SegmentWriter(root, this.#database, files);
    this.#journalFile = new JournalFile(root, files);
    this.#journal = new JournalSettlement(root, this.#database, files, this.#journalFile);
    this.#fences = fences(this.#database);
    this.offsets = new ConsumerOffsets(this.#database);
    this.marks = new ProducerMarks(this.#database);
  }

  /** Crash recovery. */
  async repair(): Promise<Repair> {
    const faults = await this.#journal.recover();
    this.#isRecovered = true;
    const damaged = await write(this.#database, () => {
      this.#journal.apply();
      return repairSegments(this.#root, this.#database, this.#files);
    });
    for (const { stream, minute } of damaged) this.#segments.seal(stream, minute);
    return { faults: [...faults, ...damaged.map(({ message }) => message)], damaged };
  }

  /** Empties the journal. */
  settle(): Promise<void> {
    return this.#journal.settle();
  }

  /** All of the operations are done and durable when this resolves; none of them when it rejects. */
  async commit(operations: readonly (() => unknown)[]): Promise<readonly unknown[]> {
    // Lines that a crash has left come before those that follow.
    if (!this.#isRecovered) await this.repair();
    try {
      return await write(this.#database, () => {
        this.#journal.apply();
        const results = operations.map((operation) => operation());
        this.#segments.sync();
        return results;
      });
    } catch (error) {
      this.#segments.closeAll();
      throw error;
    }
  }

  /** Within `commit`. False, and nothing appended, where the producer mark is not at `mark.from`, or the lease was lost. */
  append(
    lines: readonly Lines[],
    nowMs: number,
    mark: ProducerMarkMove | undefined,
    fence?: FencingToken,
  ): boolean {
    if (fence && !this.#fences.admits(fence)) return false;
    if (mark && !this.marks.move(mark, nowMs)) return false;
    const minute = Math.floor(nowMs / minuteMs);
    for (const { stream, bytes } of lines) this.#segments.append(stream, bytes, minute);
    return true;
  }

  /** Removes segments of minutes before this one, except those that a reader has open. */
  async prune(stream: StreamName, beforeMinute: number, leases: RangeLeases): Promise<void> {
    const leased = await leases.findEarliest(stream);
    const before = Math.min(beforeMinute, leased ?? beforeMinute);
    await this.commit([() => this.#unlist(stream, before)]);
    // A reader may have opened a range before the segments were unlisted: the leases are read again before files go.
    this.#removeUnlistedFiles(stream, await leases.findEarliest(stream));
  }

  #unlist(stream: StreamName, beforeMinute: number): void {
    // The stream continues from here when its last segment is gone.
    this.#database
      .prepare(
        `update stream set (bytes, lines) = (select start_byte + segment.bytes, start_line + segment.lines from segment
           where segment.stream = name order by minute desc limit 1)
         where name = ? and exists (select 1 from segment where segment.stream = name)`,
      )
      .run(stream);
    this.#database.prepare('delete from segment where stream = ? and minute < ?').run(stream, beforeMinute);
  }

  #removeUnlistedFiles(stream: StreamName, leasedFrom: number | undefined): void {
    const directory = streamDirectory(this.#root, stream);
    const first = this.#database
      .prepare('select min(minute) from segment where stream = ?')
      .pluck()
      .get(stream) as number | null;
    const end = Math.min(first ?? Number.POSITIVE_INFINITY, leasedFrom ?? Number.POSITIVE_INFINITY);
    const minutes = this.#files
      .list(directory)
      .map((file) => ({ file, minute: minuteOf(file) }))
      .filter((found): found is { file: string; minute: number } => found.minute !== undefined);
    // Where no segment is listed, the newest file may belong to an append in progress, so it stays.
    const newest = Math.max(...minutes.map(({ minute }) => minute));
    for (const { file, minute } of minutes) {
      if (minute < end && (first !== null || minute < newest)) this.#files.remove(join(directory, file));
    }
  }

  close(): void {
    this.#segments.closeAll();
    this.#journalFile.close();
    this.#database.close();
  }
}
