/**
 * Lines of small appends that only `streams.db` has durably, as a redo log. They are in their segment file as well, where readers find them,
 * but it is synced for many of them at once, so that an append waits for one sync instead of two. Every method runs within the
 * caller's transaction.
 */
import type { StreamName } from '../../stream-store.ts';
import type { Database } from '../database.ts';
import type { FileOperations } from './file-operations.ts';
import { segmentPath } from './segment-files.ts';

export interface SegmentRef {
  readonly stream: StreamName;
  readonly minute: number;
}

interface Lines {
  readonly position: number;
  readonly bytes: Buffer;
}

export class UnsyncedLines {
  readonly #files: FileOperations;
  readonly #insert;
  readonly #segments;
  readonly #any;
  readonly #lines;
  readonly #forget;
  readonly #markSynced;

  constructor(database: Database, files: FileOperations) {
    this.#files = files;
    this.#insert = database.prepare(
      'insert into unsynced (stream, minute, position, bytes) values (?, ?, ?, ?)',
    );
    this.#segments = database.prepare('select distinct stream, minute from unsynced');
    this.#any = database.prepare('select exists (select 1 from unsynced)').pluck();
    this.#lines = database.prepare(
      'select position, bytes from unsynced where stream = ? and minute = ? order by position',
    );
    this.#forget = database.prepare('delete from unsynced where stream = ? and minute = ?');
    this.#markSynced = database.prepare(
      'update segment set unsynced_bytes = 0 where stream = ? and minute = ?',
    );
  }

  any(): boolean {
    return this.#any.get() === 1;
  }

  segments(): SegmentRef[] {
    return this.#segments.all() as SegmentRef[];
  }

  add({ stream, minute }: SegmentRef, position: number, bytes: Uint8Array): void {
    this.#insert.run(stream, minute, position, bytes);
  }

  /**
   * To be followed by a sync of the file before the transaction commits. The lines are written once more, because after a failed sync
   * the file may seem to have what the disk has not.
   */
  moveTo(file: number, { stream, minute }: SegmentRef): void {
    const found = this.#find({ stream, minute });
    if (found) this.#files.write(file, found.bytes, found.position);
    this.forget({ stream, minute });
  }

  forget({ stream, minute }: SegmentRef): void {
    this.#forget.run(stream, minute);
    this.#markSynced.run(stream, minute);
  }

  /** Gives segment files back what a power failure has taken from them. They stay unsynced. */
  restore(root: string): void {
    for (const { stream, minute } of this.segments()) {
      const found = this.#find({ stream, minute });
      if (!found) continue;
      const file = this.#files.openExisting(segmentPath(root, stream, minute));
      if (file === undefined) continue;
      try {
        const stored = new Uint8Array(found.bytes.length);
        const length = this.#files.read(file, stored, found.position);
        if (length < stored.length || !found.bytes.equals(stored))
          this.#files.write(file, found.bytes, found.position);
      } finally {
        this.#files.close(file);
      }
    }
  }

  /** They follow one another: whatever else is appended to a segment removes them. */
  #find({ stream, minute }: SegmentRef): Lines | undefined {
    const lines = this.#lines.all(stream, minute) as Lines[];
    const [first] = lines;
    return first && { position: first.position, bytes: Buffer.concat(lines.map(({ bytes }) => bytes)) };
  }
}
