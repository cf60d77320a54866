/**
 * The manifest of the LSM tree: a SQLite database (`manifest.db`) with the list of live segments and the progress of each
 * import. It is the only file that is modified in place. A segment becomes visible to all processes in the transaction that
 * inserts its row, and that transaction also records how far its import has come, which makes a repeated import idempotent.
 *
 * Historical names on disk: the table of segments is `run`, `told` is 1 where the newly observed RRsets of a segment have
 * been published or need not be, and `merging_by`/`merging_until` are the claim of a compaction.
 */
import { join } from 'node:path';
import { Problem } from '../../../model/problem.ts';
import type { ImportState, UnpublishedBatch } from '../../rrset-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import type { ListedSegment, SegmentSummary } from './segment/segment-files.ts';

interface SegmentRow {
  readonly name: string;
  readonly rrsets: number;
  readonly bytes: number;
  readonly min_first: number;
  readonly max_last: number;
  readonly has_trigrams: number;
  readonly checksums: string;
  readonly sequence: number;
  readonly told: number;
}

export interface ImportProgress extends ImportState {
  /** Observations that were durable before this batch. Another number in the manifest means a concurrent import under the same id. */
  readonly before: number;
}

export class Manifest {
  readonly database: Database;

  constructor(directory: string) {
    this.database = openDatabase(join(directory, 'manifest.db'), 'rrsets', 'full');
  }

  list(): ListedSegment[] {
    const rows = this.database.prepare('select * from run order by name').all() as SegmentRow[];
    return rows.map(listedSegmentOf);
  }

  /** Adds a new segment, if there is one, and records the progress of its import. */
  commit(
    segment: SegmentSummary | undefined,
    progress: ImportProgress | undefined,
    { published }: Pick<ListedSegment, 'published'>,
  ): Promise<void> {
    return write(this.database, () => {
      if (segment) this.#insert(segment, this.#nextSequence(), published);
      if (progress) this.#record(progress);
    });
  }

  /** The unpublished segment with the lowest sequence. */
  findUnpublished(): UnpublishedBatch | undefined {
    const row = this.database
      .prepare(
        'select sequence, rrsets, (select max(sequence) from run where told = 0) as greatest from run where told = 0 order by sequence limit 1',
      )
      .get() as { sequence: number; rrsets: number; greatest: number } | undefined;
    return row && { sequence: row.sequence, rrsets: row.rrsets, greatestSequence: row.greatest };
  }

  /** Names are unique for ever; a sequence is not, since a compacted segment inherits one. */
  findUnpublishedName(sequence: number): string | undefined {
    const statement = this.database.prepare('select name from run where told = 0 and sequence = ?');
    return statement.pluck().get(sequence) as string | undefined;
  }

  markPublished(sequence: number): Promise<void> {
    return write(this.database, () => {
      this.database.prepare('update run set told = 1 where sequence = ?').run(sequence);
    });
  }

  /** Swaps a compacted segment in for its sources. False when the claim on one of them has passed to another process. */
  replace(compacted: SegmentSummary, sources: readonly string[], claimant: string): Promise<boolean> {
    return write(this.database, () => {
      const held = this.database.prepare('select merging_by from run where name = ?').pluck();
      if (!sources.every((name) => held.get(name) === claimant)) return false;
      const remove = this.database.prepare('delete from run where name = ? returning sequence').pluck();
      const sequences = sources.map((name) => remove.get(name) as number);
      this.#insert(compacted, Math.max(...sequences), true);
      return true;
    });
  }

  /** Segments that no compaction has claimed. */
  listUnclaimed(nowMs: number): Promise<ListedSegment[]> {
    return write(this.database, () =>
      (
        this.database
          .prepare('select * from run where merging_by is null or merging_until < ? order by name')
          .all(nowMs) as SegmentRow[]
      ).map(listedSegmentOf),
    );
  }

  /** Claims segments for a compaction; false when one of them is claimed or gone. */
  claim(names: readonly string[], claimant: string, nowMs: number, untilMs: number): Promise<boolean> {
    return write(this.database, () => {
      const claim = this.database.prepare(
        'update run set merging_by = ?, merging_until = ? where name = ? and (merging_by is null or merging_until < ?)',
      );
      const free = this.database
        .prepare('select count(*) from run where name = ? and (merging_by is null or merging_until < ?)')
        .pluck();
      if (!names.every((name) => free.get(name, nowMs) === 1)) return false;
      for (const name of names) claim.run(claimant, untilMs, name, nowMs);
      return true;
    });
  }

  /** The compactions under way, each by the name of the segment it writes. */
  listClaimants(): string[] {
    const statement = this.database.prepare(
      'select distinct merging_by from run where merging_by is not null',
    );
    return statement.pluck().all() as string[];
  }

  release(claimant: string): Promise<void> {
    return write(this.database, () => {
      this.database.prepare('update run set merging_by = null where merging_by = ?').run(claimant);
    });
  }

  findImport(id: string): ImportState | undefined {
    const row = this.database.prepare('select * from import where id = ?').get(id) as
      | { id: string; observations: number; complete: number }
      | undefined;
    return row && { id: row.id, observations: row.observations, complete: row.complete === 1 };
  }

  close(): void {
    this.database.close();
  }

  #nextSequence(): number {
    const statement = this.database.prepare(
      'update last_sequence set sequence = sequence + 1 returning sequence',
    );
    return statement.pluck().get() as number;
  }

  #insert(segment: SegmentSummary, sequence: number, published: boolean): void {
    this.database
      .prepare(
        'insert into run (name, rrsets, bytes, min_first, max_last, has_trigrams, checksums, sequence, told) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        segment.name,
        segment.rrsets,
        segment.bytes,
        segment.minFirst,
        segment.maxLast,
        segment.hasTrigrams ? 1 : 0,
        segment.checksums.join(' '),
        sequence,
        published ? 1 : 0,
      );
  }

  #record({ id, observations, complete, before }: ImportProgress): void {
    if ((this.findImport(id)?.observations ?? 0) !== before) {
      throw new Problem('already-exists', `another import with the id ${id} is in progress`);
    }
    this.database
      .prepare(
        'insert into import (id, observations, complete) values (?, ?, ?) on conflict (id) do update set observations = excluded.observations, complete = excluded.complete',
      )
      .run(id, observations, complete ? 1 : 0);
  }
}

function listedSegmentOf(row: SegmentRow): ListedSegment {
  return {
    name: row.name,
    rrsets: row.rrsets,
    bytes: row.bytes,
    minFirst: row.min_first,
    maxLast: row.max_last,
    hasTrigrams: row.has_trigrams === 1,
    checksums: row.checksums.split(' ').map(Number),
    sequence: row.sequence,
    published: row.told === 1,
  };
}
