/** The list of batches and imports in PostgreSQL, which decides what exists. */
import { Problem } from '../../../model/problem.ts';
import { type UnpublishedRow, unpublishedBatchOf } from '../../rrset/unpublished-row.ts';
import type {
  ImportState,
  NewlyObservedCounts,
  RrsetStatistics,
  UnpublishedBatch,
} from '../../rrset-store.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';

export const listedTopic = 'rrsets';

export interface NewBatch {
  readonly id: string;
  readonly publish: boolean;
  readonly importId: string | undefined;
  /** Observations of the import, or of the intake, before and after this batch. */
  readonly before: number;
  readonly after: number;
  /** How long its writer has. */
  readonly leaseMs: number;
  /** Kept until it is listed, where several shards have to insert it. */
  readonly observations: Uint8Array | undefined;
}

export interface BegunBatch {
  readonly id: string;
  readonly sequence: number;
  /** Whether its base domains are known at once: no batch before it is still to be published. */
  readonly isKnownAtOnce: boolean;
}

export interface AbandonedBatch extends BegunBatch {
  readonly publish: boolean;
  readonly observations: Uint8Array | undefined;
}

interface AbandonedRow {
  readonly id: string;
  readonly sequence: number;
  readonly publish: boolean;
  readonly is_known: boolean;
  readonly observations: Buffer | null;
}

export interface BatchSummary {
  readonly rrsets: number;
  readonly bytes: number;
  readonly minFirst: number;
  readonly maxLast: number;
}

export class BatchList {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** Gives it a sequence. Those with a smaller one are begun already. */
  begin({ id, publish, importId, before, after, leaseMs, observations }: NewBatch): Promise<BegunBatch> {
    return this.#database.write(async (sql) => {
      // Held until the commit: sequences become visible in their order.
      const [next] = await sql<{ sequence: number }[]>`
        update rrset_state set sequence = sequence + 1 where id = 1 returning sequence`;
      const sequence = next?.sequence ?? 0;
      if (importId !== undefined) await requireProgress(sql, importId, before);
      const [earlier] = await sql<{ exists: boolean }[]>`
        select exists (select from rrset_batch where not is_published and sequence < ${sequence}) as exists`;
      const isKnownAtOnce = !publish && !earlier?.exists;
      await sql`insert into rrset_batch
        (sequence, id, until, publish, is_published, is_known, import_id, durable_before, durable_after, observations)
        values (${sequence}, ${id}, clock_timestamp() + ${leaseMs} * interval '1 millisecond', ${publish}, ${!publish},
          ${isKnownAtOnce}, ${importId ?? null}, ${before}, ${after}, ${observations ?? null})`;
      return { id, sequence, isKnownAtOnce };
    });
  }

  /** Before each attempt to insert it. `listed` where another node has found that it was inserted, `gone` where it gave the batch up. */
  async renew(id: string, leaseMs: number, summary: BatchSummary): Promise<'begun' | 'listed' | 'gone'> {
    const { rrsets, bytes, minFirst, maxLast } = summary;
    const { count } = await this.#database.writeRepeatable(
      (sql) => sql`update rrset_batch set until = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
        rrsets = ${rrsets}, bytes = ${bytes}, min_first = ${minFirst}, max_last = ${maxLast}
        where id = ${id} and not is_listed`,
    );
    if (count > 0) return 'begun';
    const rows = await this.#database.read((sql) => sql`select from rrset_batch where id = ${id}`);
    return rows.length > 0 ? 'listed' : 'gone';
  }

  /** The batch was inserted: from now on it counts. Doing it twice changes nothing. False where it was given up. */
  list(id: string): Promise<boolean> {
    return this.#database.writeRepeatable(async (sql) => {
      const [batch] = await sql<ListedRow[]>`
        update rrset_batch set is_listed = true, listed_at = now(), observations = null where id = ${id} and not is_listed
        returning import_id, durable_after, rrsets, bytes, min_first, max_last`;
      if (!batch) return (await sql`select from rrset_batch where id = ${id}`).length > 0;
      if (batch.import_id !== null) {
        await sql`insert into rrset_import (id, observations) values (${batch.import_id}, ${batch.durable_after})
          on conflict (id) do update set observations = excluded.observations`;
      }
      await sql`update rrset_state set version = version + 1, rrsets = rrsets + ${batch.rrsets},
        bytes = bytes + ${batch.bytes}, min_first = least(min_first, ${batch.min_first}),
        max_last = greatest(max_last, ${batch.max_last}) where id = 1`;
      await sql`select pg_notify(${this.#database.channelOf(listedTopic)}, '')`;
      return true;
    });
  }

  /** The batch was not inserted, and will not be. */
  async giveUp(id: string): Promise<void> {
    await this.#database.writeRepeatable(
      (sql) => sql`delete from rrset_batch where id = ${id} and not is_listed`,
    );
  }

  /** Takes over batches whose writers have given up or died: one at a time, by one node. */
  async takeAbandoned(leaseMs: number): Promise<AbandonedBatch | undefined> {
    const [batch] = await this.#database.writeRepeatable(
      (sql) => sql<AbandonedRow[]>`
        update rrset_batch set until = clock_timestamp() + ${leaseMs} * interval '1 millisecond' where sequence = (
          select sequence from rrset_batch where not is_listed and until < clock_timestamp()
          order by sequence limit 1 for update skip locked)
        returning id, sequence, publish, is_known, observations`,
    );
    if (!batch) return undefined;
    const { id, sequence, publish, is_known: isKnownAtOnce, observations } = batch;
    return { id, sequence, publish, isKnownAtOnce, observations: observations ?? undefined };
  }

  /** What became of it could not be found out. */
  async release(id: string): Promise<void> {
    await this.#database.writeRepeatable(
      (sql) => sql`update rrset_batch set until = clock_timestamp() where id = ${id} and not is_listed`,
    );
  }

  async findImport(id: string): Promise<ImportState | undefined> {
    const [row] = await this.#database.read(
      (sql) => sql<{ observations: number; is_complete: boolean }[]>`
        select observations, is_complete from rrset_import where id = ${id}`,
    );
    return row && { id, observations: row.observations, complete: row.is_complete };
  }

  completeImport(id: string, observations: number): Promise<void> {
    return this.#database.writeRepeatable(async (sql) => {
      await sql`select from rrset_state where id = 1 for update`;
      await requireProgress(sql, id, observations);
      await sql`insert into rrset_import (id, observations, is_complete) values (${id}, ${observations}, true)
        on conflict (id) do update set is_complete = true`;
    });
  }

  async countNewlyObserved(importId: string): Promise<NewlyObservedCounts> {
    const [row] = await this.#database.read(
      (sql) => sql<{ domains: number; hosts: number }[]>`
        select new_domains as domains, new_hosts as hosts from rrset_import where id = ${importId}`,
    );
    return row ?? { domains: 0, hosts: 0 };
  }

  /** None while a batch before it is still being written. */
  async findUnpublished(): Promise<UnpublishedBatch | undefined> {
    const [row] = await this.#database.read(
      (sql) => sql<UnpublishedRow[]>`
        select sequence, rrsets, import_id as "importId", (select max(sequence) from rrset_batch where not is_published and is_listed) as "greatestSequence",
          (select sum(rrsets) from rrset_batch where not is_published and is_listed)::bigint as "rrsetsInAll"
        from rrset_batch as batch where not is_published and is_listed
          and not exists (select from rrset_batch as earlier where not earlier.is_listed and earlier.sequence < batch.sequence)
        order by sequence limit 1`,
    );
    return unpublishedBatchOf(row);
  }

  async isUnpublished(sequence: number): Promise<boolean> {
    const rows = await this.#database.read(
      (sql) => sql`select from rrset_batch where sequence = ${sequence} and is_listed and not is_published`,
    );
    return rows.length > 0;
  }

  async markPublished(sequence: number, { domains, hosts }: NewlyObservedCounts): Promise<void> {
    await this.#database.writeRepeatable(async (sql) => {
      const [batch] = await sql<{ import_id: string | null }[]>`
        update rrset_batch set is_published = true where sequence = ${sequence} and not is_published returning import_id`;
      if (batch?.import_id == null) return;
      await sql`update rrset_import set new_domains = new_domains + ${domains}, new_hosts = new_hosts + ${hosts}
        where id = ${batch.import_id}`;
    });
  }

  /** Batches before all that are still to be published, whose base domains are not known yet: some of them, in order. */
  async listUnknown(limit: number): Promise<readonly number[]> {
    const rows = await this.#database.read(
      (sql) => sql<{ sequence: number }[]>`
        select sequence from rrset_batch where is_listed and not is_known and sequence < coalesce(
          (select min(sequence) from rrset_batch where not is_published), ${Number.MAX_SAFE_INTEGER})
        order by sequence limit ${limit}`,
    );
    return rows.map(({ sequence }) => sequence);
  }

  async markKnown(sequences: readonly number[]): Promise<void> {
    await this.#database.writeRepeatable(
      (sql) => sql`update rrset_batch set is_known = true where sequence = any(${sequences})`,
    );
  }

  /** Forgets batches that nobody asks for any more. */
  async prune(): Promise<void> {
    await this.#database.writeRepeatable(
      (sql) => sql`delete from rrset_batch where is_listed and is_published and is_known
        and listed_at < now() - interval '1 day'`,
    );
  }

  async version(): Promise<number> {
    const [row] = await this.#database.read(
      (sql) => sql<{ version: number }[]>`select version from rrset_state where id = 1`,
    );
    return row?.version ?? 0;
  }

  async statistics(): Promise<Omit<RrsetStatistics, 'segments'>> {
    const [row] = await this.#database.read(
      (sql) => sql<StateRow[]>`select rrsets, bytes, min_first, max_last from rrset_state where id = 1`,
    );
    return {
      rrsets: row?.rrsets ?? 0,
      bytes: row?.bytes ?? 0,
      firstSeconds: row?.min_first ?? undefined,
      lastSeconds: row?.max_last ?? undefined,
    };
  }
}

interface ListedRow extends Pick<StateRow, 'rrsets' | 'bytes'> {
  readonly import_id: string | null;
  readonly durable_after: number;
  readonly min_first: number;
  readonly max_last: number;
}

interface StateRow {
  readonly rrsets: number;
  readonly bytes: number;
  readonly min_first: number | null;
  readonly max_last: number | null;
}

/** Another number, or another batch under way, means a concurrent import under the same id. */
async function requireProgress(sql: Sql, importId: string, before: number): Promise<void> {
  const [row] = await sql<{ observations: number; is_busy: boolean }[]>`
    select coalesce((select observations from rrset_import where id = ${importId}), 0) as observations,
      exists (select from rrset_batch where import_id = ${importId} and not is_listed) as is_busy`;
  if (row?.observations === before && !row.is_busy) return;
  throw new Problem('already-exists', `another import with the id ${importId} is in progress`);
}
