/**
 * Everything that changes streams, one job after another, many in one transaction: jobs that come while a disk is waited for
 * are confirmed together with the next sync.
 */
import { join } from 'node:path';
import type { HeldPlace, Lines, MarkMove, Offset, Reader, StreamName } from '../../stream-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import { type FileOperations, realFiles } from './file-operations.ts';
import { Leases } from './leases.ts';
import { ReaderPlaces, WriterMarks } from './reader-places.ts';
import { repairSegments } from './repair-segments.ts';
import { minuteMs, minuteOf, streamDirectory } from './segment-files.ts';
import { SegmentWriter } from './segment-writer.ts';

export type StreamJob =
  | {
      readonly kind: 'append';
      readonly lines: readonly Lines[];
      readonly nowMs: number;
      readonly mark: MarkMove | undefined;
    }
  | {
      readonly kind: 'hold';
      readonly reader: Reader;
      readonly holder: string;
      readonly nowMs: number;
      readonly untilMs: number;
    }
  | {
      readonly kind: 'move';
      readonly reader: Reader;
      readonly holder: string;
      readonly to: Offset;
      readonly nowMs: number;
    }
  | { readonly kind: 'release'; readonly reader: Reader; readonly holder: string }
  | { readonly kind: 'remove'; readonly reader: Reader }
  | {
      readonly kind: 'remove-idle';
      readonly stream: StreamName;
      readonly namePrefix: string;
      readonly beforeMs: number;
    }
  | { readonly kind: 'remove-idle-marks'; readonly writerPrefix: string; readonly beforeMs: number }
  /** Forgets segments before a minute; their files are removed by `sweep`. */
  | { readonly kind: 'unlist'; readonly stream: StreamName; readonly beforeMinute: number };

export interface StreamJobResults {
  append: boolean;
  hold: HeldPlace | undefined;
  move: boolean;
  release: undefined;
  remove: boolean;
  'remove-idle': undefined;
  'remove-idle-marks': undefined;
  unlist: undefined;
}

export class StreamJobs {
  readonly #root: string;
  readonly #database: Database;
  readonly #files: FileOperations;
  readonly #segments: SegmentWriter;
  readonly #places: ReaderPlaces;
  readonly #marks: WriterMarks;

  constructor(root: string, files: FileOperations = realFiles) {
    this.#root = root;
    this.#files = files;
    this.#database = openDatabase(join(root, 'streams.db'), 'streams', 'full');
    this.#segments = new SegmentWriter(root, this.#database, files);
    this.#places = new ReaderPlaces(this.#database);
    this.#marks = new WriterMarks(this.#database);
  }

  /** Cuts what dead writers left, and sets aside what is damaged; says what that was. */
  repair(): Promise<readonly string[]> {
    return write(this.#database, () => repairSegments(this.#root, this.#database, this.#files));
  }

  /** All of the jobs are done and durable when this resolves, or none of them is. */
  async commit(jobs: readonly StreamJob[]): Promise<readonly unknown[]> {
    try {
      return await write(this.#database, () => {
        const results = jobs.map((job) => this.#do(job));
        this.#segments.sync();
        return results;
      });
    } catch (error) {
      this.#segments.forget();
      throw error;
    }
  }

  /** Removes the files of segments that are not listed, but for those from a minute on that somebody may have open. */
  async sweep(stream: StreamName, openFrom: number | undefined): Promise<void> {
    const directory = streamDirectory(this.#root, stream);
    const first = this.#database
      .prepare('select min(minute) from segment where stream = ?')
      .pluck()
      .get(stream) as number | null;
    const end = Math.min(first ?? Number.POSITIVE_INFINITY, openFrom ?? Number.POSITIVE_INFINITY);
    // Nothing is listed: a file may be that of an append under way, so the youngest stays until there is a later one.
    const minutes = this.#files
      .list(directory)
      .map((file) => ({ file, minute: minuteOf(file) }))
      .filter((found): found is { file: string; minute: number } => found.minute !== undefined);
    const youngest = Math.max(...minutes.map(({ minute }) => minute));
    for (const { file, minute } of minutes) {
      if (minute < end && (first !== null || minute < youngest)) this.#files.remove(join(directory, file));
    }
  }

  close(): void {
    this.#segments.forget();
    this.#database.close();
  }

  #do(job: StreamJob): unknown {
    if (job.kind === 'append') return this.#append(job);
    if (job.kind === 'hold') return this.#places.hold(job.reader, job.holder, job.nowMs, job.untilMs);
    if (job.kind === 'move') return this.#places.move(job.reader, job.holder, job.to, job.nowMs);
    if (job.kind === 'release') return this.#places.release(job.reader, job.holder);
    if (job.kind === 'remove') return this.#places.remove(job.reader);
    if (job.kind === 'remove-idle') return this.#places.removeIdle(job.stream, job.namePrefix, job.beforeMs);
    if (job.kind === 'remove-idle-marks') return this.#marks.removeIdle(job.writerPrefix, job.beforeMs);
    return void this.#database
      .prepare('delete from segment where stream = ? and minute < ?')
      .run(job.stream, job.beforeMinute);
  }

  #append({ lines, nowMs, mark }: Extract<StreamJob, { kind: 'append' }>): boolean {
    if (mark && !this.#marks.move(mark, nowMs)) return false;
    const minute = Math.floor(nowMs / minuteMs);
    for (const { stream, bytes } of lines) this.#segments.append(stream, bytes, minute);
    return true;
  }
}

/** Which of the segments somebody has open, for `sweep` and `unlist`. */
export async function pruneStream(
  jobs: Pick<StreamJobs, 'commit' | 'sweep'>,
  leases: Leases,
  stream: StreamName,
  beforeMinute: number,
): Promise<void> {
  const open = await leases.findEarliest(stream);
  await jobs.commit([{ kind: 'unlist', stream, beforeMinute: Math.min(beforeMinute, open ?? beforeMinute) }]);
  // Somebody may have opened one while it was being forgotten; asked after that, the leases know.
  await jobs.sweep(stream, await leases.findEarliest(stream));
}
