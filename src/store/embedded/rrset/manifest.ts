/**
 * The manifest of the LSM tree: a SQLite database (`manifest.db`) with the list of live segments and the progress of each
 * import. It is the only file that is modified in place. A segment becomes visible to all processes in the transaction that
 * inserts its row, and that transaction also records how far its import has come, which makes a repeated import idempotent.
 * A checksum over the list, kept in the same database, is verified whenever the list is read, and before it is changed.
 *
 * Historical names on disk: the table of segments is `run`, `told` is 1 where the newly observed RRsets of a segment have
 * been published or need not be, and `merging_by`/`merging_until` are the claim of a compaction.
 */
import { join } from 'node:path';
import { reorderingMs } from '../../../concurrency/reordering.ts';
import { Problem } from '../../../model/problem.ts';
import { DamagedData } from '../../damage.ts';
import type { ListedSegment, SegmentSummary } from '../../rrset/segment/segment-files.ts';
import { formatVersion } from '../../rrset/segment/table-footer.ts';
import { type UnpublishedRow, unpublishedBatchOf } from '../../rrset/unpublished-row.ts';
import type { ImportState, NewlyObservedCounts, UnpublishedBatch } from '../../rrset-store.ts';
import { type Database, openDatabase, write } from '../database.ts';
import { listChecksum, listedSegmentOf, type SegmentRow } from './segment-rows.ts';

export interface ImportProgress extends ImportState {
  /** Observations that were durable before this batch. Another number in the manifest means a concurrent import under the same id. */
  readonly before: number;
}

export class Manifest {
  readonly database: Database;
  readonly path: string;

  constructor(directory: string) {
    this.path = join(directory, 'manifest.db');
    this.database = openDatabase(this.path, 'rrsets', 'full');
  }

  list(): ListedSegment[] {
    return this.#rows().map(listedSegmentOf);
  }

  isListed(name: string): boolean {
    return this.#rows().some((row) => row.name === name);
  }

  /** What SQLite finds wrong with the file. */
  findDamage(): string | undefined {
    try {
      const found = this.database.pragma('integrity_check(1)', { simple: true });
      return found === 'ok' ? undefined : String(found);
    } catch (error) {
      if (error instanceof DamagedData) return error.problem;
      throw error;
    }
  }

  /** The rows of the list, complete and as they were written. */
  #rows(): SegmentRow[] {
    const joined = this.database
      .prepare(
        'select run.*, list_checksum.checksum as list_checksum from list_checksum left join run order by name',
      )
      .all() as (SegmentRow & { readonly list_checksum: number | null })[];
    const rows = joined.filter(({ name }) => name !== null);
    const [any] = joined;
    if (!any || (any.list_checksum !== null && any.list_checksum !== listChecksum(rows))) {
      throw new DamagedData({ file: this.path, problem: 'the list of segments does not match its checksum' });
    }
    return rows;
  }

  /** Changes the list in a transaction, unless it is damaged: a new checksum would hide that. */
  #change<Result>(work: () => Result): Promise<Result> {
    return write(this.database, () => {
      this.#rows();
      const result = work();
      const rows = this.database.prepare('select * from run order by name').all() as SegmentRow[];
      this.database.prepare('update list_checksum set checksum = ?').run(listChecksum(rows));
      return result;
    });
  }

  /** Adds a new segment, if there is one, and records the progress of its import. */
  commit(
    segment: SegmentSummary | undefined,
    progress: ImportProgress | undefined,
    { published }: Pick<ListedSegment, 'published'>,
  ): Promise<void> {
    return this.#change(() => {
      const sequence = segment && this.#nextSequence();
      if (segment && sequence !== undefined) this.#insert(segment, sequence, published);
      if (progress) this.#record(progress);
      if (sequence === undefined || !progress || published) return;
      this.database
        .prepare('insert into import_batch (sequence, import) values (?, ?)')
        .run(sequence, progress.id);
    });
  }

  /** The unpublished segment with the lowest sequence. */
  findUnpublished(): UnpublishedBatch | undefined {
    const row = this.database
      .prepare(
        `select sequence, rrsets, (select max(sequence) from run where told = 0) as greatestSequence,
           (select sum(rrsets) from run where told = 0) as rrsetsInAll,
           (select import from import_batch where import_batch.sequence = run.sequence) as importId
         from run where told = 0 order by sequence limit 1`,
      )
      .get() as UnpublishedRow | undefined;
    return unpublishedBatchOf(row);
  }

  /** Names are unique for ever; a sequence is not, since a compacted segment inherits one. */
  findUnpublishedName(sequence: number): string | undefined {
    const statement = this.database.prepare('select name from run where told = 0 and sequence = ?');
    return statement.pluck().get(sequence) as string | undefined;
  }

  markPublished(sequence: number, { domains, hosts }: NewlyObservedCounts): Promise<void> {
    return this.#change(() => {
      this.database.prepare('update run set told = 1 where sequence = ?').run(sequence);
      this.database
        .prepare('update import_batch set domains = ?, hosts = ? where sequence = ?')
        .run(domains, hosts, sequence);
    });
  }

  countNewlyObserved(importId: string): NewlyObservedCounts {
    return this.database
      .prepare('select total(domains) as domains, total(hosts) as hosts from import_batch where import = ?')
      .get(importId) as NewlyObservedCounts;
  }

  /** Swaps a compacted segment in for its sources. False when the claim on one of them has passed to another process. */
  replace(compacted: SegmentSummary, sources: readonly string[], claimant: string): Promise<boolean> {
    return this.#change(() => {
      const held = this.database.prepare('select merging_by from run where name = ?').pluck();
      if (!sources.every((name) => held.get(name) === claimant)) return false;
      const remove = this.database.prepare('delete from run where name = ? returning sequence').pluck();
      const sequences = sources.map((name) => remove.get(name) as number);
      this.#insert(compacted, Math.max(...sequences), true);
      return true;
    });
  }

  /** Segments that no compaction has claimed. */
  listUnclaimed(nowMs: number, untilMs: number): Promise<ListedSegment[]> {
    return write(this.database, () =>
      this.#rows()
        .filter((row) => row.merging_by === null || !endsBetween(row.merging_until ?? 0, nowMs, untilMs))
        .map(listedSegmentOf),
    );
  }

  /**
   * Claims segments for a compaction; false when one of them is claimed or gone. A claim that lasts longer than this one was made by a
   * clock that was ahead, and has ended.
   */
  claim(names: readonly string[], claimant: string, nowMs: number, untilMs: number): Promise<boolean> {
    return write(this.database, () => {
      const claim = this.database.prepare('update run set merging_by = ?, merging_until = ? where name = ?');
      const free = this.database
        .prepare(
          'select count(*) from run where name = ? and (merging_by is null or merging_until not between ? and ?)',
        )
        .pluck();
      if (!names.every((name) => free.get(name, nowMs, untilMs + reorderingMs) === 1)) return false;
      for (const name of names) claim.run(claimant, untilMs, name);
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
        'insert into run (name, rrsets, bytes, min_first, max_last, has_trigrams, checksums, sequence, told, format) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
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
        formatVersion,
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

function endsBetween(ms: number, fromMs: number, toMs: number): boolean {
  return ms >= fromMs && ms <= toMs + reorderingMs;
}
