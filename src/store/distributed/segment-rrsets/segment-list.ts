/**
 * The list of segments and the progress of imports, in PostgreSQL. A segment becomes visible to all nodes in the transaction that inserts its row, which
 * also records how far its import has come.
 */
import { Problem } from '../../../model/problem.ts';
import type { SegmentSummary } from '../../rrset/segment/segment-files.ts';
import { formatVersion } from '../../rrset/segment/table-footer.ts';
import { type UnpublishedRow, unpublishedBatchOf } from '../../rrset/unpublished-row.ts';
import type {
  ImportState,
  NewlyObservedCounts,
  RrsetStatistics,
  UnpublishedBatch,
} from '../../rrset-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { StoredObjects } from '../s3/stored-objects.ts';
import type { CompactionLease } from './compaction-lease.ts';
import type { SegmentObject } from './segment-objects.ts';
import { listedOf, type SegmentRow, type StoredSegment, segmentColumns } from './segment-rows.ts';

export const listTopic = 'segments';

export interface ImportProgress extends ImportState {
  /** Observations that were durable before this batch. Another number in the list means a concurrent import under the same id. */
  readonly before: number;
}

export interface NewSegment {
  readonly summary: SegmentSummary;
  readonly object: SegmentObject;
}

export interface ListVersion {
  readonly version: number;
  /** Undefined where the version is the known one. */
  readonly segments: readonly StoredSegment[] | undefined;
}

export class SegmentList {
  readonly database: PostgresDatabase;
  readonly #objects: StoredObjects;

  constructor(database: PostgresDatabase, objects: StoredObjects) {
    this.database = database;
    this.#objects = objects;
  }

  /** The list of one moment, if it is not the known one. */
  async read(known = -1): Promise<ListVersion> {
    const rows = await this.database.read(
      (sql) => sql<(SegmentRow & { version: number })[]>`
        select list.version, ${segmentColumns(sql)} from segment_list list
        left join rrset_segment on list.version <> ${known} order by name`,
    );
    const version = rows[0]?.version ?? 0;
    const listed = rows.filter(({ name }) => name !== null);
    return { version, segments: version === known ? undefined : listed.map(listedOf) };
  }

  async listSegments(): Promise<readonly StoredSegment[]> {
    return (await this.read()).segments ?? [];
  }

  async isListed(name: string): Promise<boolean> {
    const rows = await this.database.read((sql) => sql`select from rrset_segment where name = ${name}`);
    return rows.length > 0;
  }

  /** Undefined where the segment was compacted away. */
  async findBlockChecksums(name: string): Promise<Buffer | undefined> {
    const [row] = await this.database.read(
      (sql) => sql<{ block_checksums: Buffer }[]>`
        select block_checksums from rrset_segment where name = ${name}`,
    );
    return row?.block_checksums;
  }

  /** Lists a new segment with the progress of its import. Has no effect where an earlier call with this segment did it. */
  addBatch(segment: NewSegment, progress: ImportProgress | undefined, published: boolean): Promise<void> {
    return this.database.write(async (sql) => {
      const { name } = segment.summary;
      const batch = await sql`insert into listed_batch (name) values (${name}) on conflict do nothing`;
      if (batch.count === 0) return;
      const [list] = await sql<{ last_sequence: number }[]>`
        update segment_list set version = version + 1, last_sequence = last_sequence + 1 returning last_sequence`;
      const sequence = list?.last_sequence ?? 0;
      if (progress) await recordProgress(sql, progress);
      await this.#insert(sql, segment, { sequence, published });
      if (progress && !published)
        await sql`insert into segment_import_batch (sequence, import) values (${sequence}, ${progress.id})`;
      await this.#notify(sql);
    });
  }

  completeImport(progress: ImportProgress): Promise<void> {
    return this.database.write(async (sql) => {
      await sql`select from segment_list for update`;
      await recordProgress(sql, progress);
    });
  }

  /** Swaps a compacted segment in for its sources. False when the lease has passed to another node, or one of the sources is gone. */
  replace(compacted: NewSegment, sources: readonly string[], lease: CompactionLease): Promise<boolean> {
    return this.database.write(async (sql) => {
      await sql`update segment_list set version = version + 1`;
      const held = await sql`select from segment_compactor where epoch = ${lease.epoch} for share`;
      const removed = await sql<{ name: string; sequence: number; object: string }[]>`
        select name, sequence, object from rrset_segment where name = any(${sources}) and published`;
      if (held.length === 0 || removed.length !== sources.length) return false;
      await sql`delete from rrset_segment where name = any(${sources})`;
      const objects = removed.map(({ object }) => object);
      await this.#objects.drop(sql, objects);
      const sequence = Math.max(...removed.map((source) => source.sequence));
      await this.#insert(sql, compacted, { sequence, published: true });
      await this.#notify(sql);
      return true;
    });
  }

  async findImport(id: string): Promise<ImportState | undefined> {
    const [row] = await this.database.read(
      (sql) => sql<ImportState[]>`select id, observations, complete from segment_import where id = ${id}`,
    );
    return row && { id: row.id, observations: row.observations, complete: row.complete };
  }

  async countNewlyObserved(importId: string): Promise<NewlyObservedCounts> {
    const [row] = await this.database.read(
      (sql) => sql<{ domains: number; hosts: number }[]>`
        select coalesce(sum(domains), 0)::bigint as domains, coalesce(sum(hosts), 0)::bigint as hosts
        from segment_import_batch where import = ${importId}`,
    );
    return { domains: row?.domains ?? 0, hosts: row?.hosts ?? 0 };
  }

  async findUnpublished(): Promise<UnpublishedBatch | undefined> {
    const [row] = await this.database.read(
      (sql) => sql<UnpublishedRow[]>`
        select sequence, rrsets, (select max(sequence) from rrset_segment where not published) as "greatestSequence",
          (select sum(rrsets) from rrset_segment where not published)::bigint as "rrsetsInAll",
          (select import from segment_import_batch where segment_import_batch.sequence = rrset_segment.sequence) as "importId"
        from rrset_segment where not published order by sequence limit 1`,
    );
    return unpublishedBatchOf(row);
  }

  /** Names are unique for ever; a sequence is not, since a compacted segment inherits one. */
  async findUnpublishedName(sequence: number): Promise<string | undefined> {
    const [row] = await this.database.read(
      (sql) => sql<{ name: string }[]>`
        select name from rrset_segment where not published and sequence = ${sequence}`,
    );
    return row?.name;
  }

  markPublished(sequence: number, { domains, hosts }: NewlyObservedCounts): Promise<void> {
    return this.database.writeRepeatable(async (sql) => {
      const marked =
        await sql`update rrset_segment set published = true where sequence = ${sequence} and not published`;
      if (marked.count > 0)
        await sql`
          update segment_import_batch set domains = ${domains}, hosts = ${hosts} where sequence = ${sequence}`;
    });
  }

  async statistics(): Promise<RrsetStatistics> {
    const [row] = await this.database.read(
      (sql) => sql<Record<'rrsets' | 'bytes' | 'segments' | 'first' | 'last', number | null>[]>`
        select count(*) as segments, coalesce(sum(rrsets), 0)::bigint as rrsets,
          coalesce(sum((select sum(b) from unnest(table_bytes) b)), 0)::bigint as bytes,
          min(min_first) filter (where rrsets > 0) as first, max(max_last) filter (where rrsets > 0) as last
        from rrset_segment`,
    );
    return {
      rrsets: row?.rrsets ?? 0,
      bytes: row?.bytes ?? 0,
      segments: row?.segments ?? 0,
      firstSeconds: row?.first ?? undefined,
      lastSeconds: row?.last ?? undefined,
    };
  }

  async #insert(
    sql: Transaction,
    { summary, object }: NewSegment,
    { sequence, published }: { readonly sequence: number; readonly published: boolean },
  ): Promise<void> {
    const { name, rrsets, minFirst, maxLast, checksums } = summary;
    const { key, sha256, blockChecksums, tableBytes } = object;
    await sql`
      insert into rrset_segment (name, sequence, published, rrsets, min_first, max_last, format, checksums, table_bytes, object,
        sha256, block_checksums)
      values (${name}, ${sequence}, ${published}, ${rrsets}, ${minFirst}, ${maxLast}, ${formatVersion}, ${checksums},
        ${tableBytes}, ${key}, ${sha256}, ${blockChecksums})`;
    await this.#objects.name(sql, [key]);
  }

  async #notify(sql: Transaction): Promise<void> {
    await sql`select pg_notify(${this.database.channelOf(listTopic)}, '')`;
  }
}

/** Under the lock of the list, so that of two imports with one id the second sees what the first has done. */
async function recordProgress(
  sql: Transaction,
  { id, observations, complete, before }: ImportProgress,
): Promise<void> {
  const [known] = await sql<{ observations: number }[]>`
    select observations from segment_import where id = ${id}`;
  if ((known?.observations ?? 0) !== before)
    throw new Problem('already-exists', `another import with the id ${id} is in progress`);
  await sql`
    insert into segment_import (id, observations, complete) values (${id}, ${observations}, ${complete})
    on conflict (id) do update set observations = excluded.observations, complete = excluded.complete`;
}
