/** Domains that sources have reported, in partitions by hash, and the batches of those that are not published yet. */
import { LeaseLost } from '../../lease/fencing-token.ts';
import type { NameStore, NewDomain } from '../../name-store.ts';
import { admitTokens } from '../lease/fences.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { addToBatch, lockBatches, sealFirstBatch } from './name-batches.ts';

/** Names per statement. */
const seenBatchSize = 5000;

export function openNameStore(database: PostgresDatabase): NameStore {
  return {
    recordNames: (source, domains, seenMs, { checkpoint, fence } = {}) =>
      database.write(async (sql) => {
        const [isAdmitted] = await admitTokens(sql, [fence]);
        if (fence && !isAdmitted) throw new LeaseLost(fence.lease);
        const fresh = await sql<{ name: string }[]>`
          insert into reported_name (name, seen_seconds)
          select name, ${Math.floor(seenMs / 1000)} from unnest(${domains}::text[]) reported (name)
          order by name collate "C"
          on conflict do nothing returning name`;
        const names = fresh.map(({ name }) => name);
        if (names.length > 0) await addToBatch(sql, { names, seenMs, source });
        if (checkpoint !== undefined)
          await sql`
            insert into name_source (name, checkpoint) values (${source}, ${checkpoint})
            on conflict (name) do update set checkpoint = excluded.checkpoint`;
        return names.length;
      }),

    async findCheckpoint(source) {
      const [row] = await database.read(
        (sql) => sql<{ checkpoint: string }[]>`select checkpoint from name_source where name = ${source}`,
      );
      return row?.checkpoint;
    },

    async findSeenMs(domains) {
      const seen = new Map<string, number>();
      for (let from = 0; from < domains.length; from += seenBatchSize) {
        const names = domains.slice(from, from + seenBatchSize);
        const rows = await database.read(
          (sql) => sql<{ name: string; seconds: number }[]>`
            select name, seen_seconds as seconds from reported_name where name = any(${names})`,
        );
        for (const { name, seconds } of rows) seen.set(name, seconds * 1000);
      }
      return domains.map((domain) => seen.get(domain));
    },

    // No name has a character beyond ASCII.
    async listDomainsFrom(prefix, limit) {
      const rows = await database.read(
        (sql) => sql<{ name: string }[]>`
          select name from reported_name where name >= ${prefix} and name < ${`${prefix}\u007f`}
          order by name limit ${limit}`,
      );
      return rows.map(({ name }) => name);
    },

    findUnpublished: () =>
      database.writeRepeatable(async (sql) => {
        const batch = await sealFirstBatch(sql);
        if (batch === undefined) return undefined;
        const rows = await sql<NewDomain[]>`
          select name as domain, seen_ms as "seenMs", source from unpublished_name
          where batch = ${batch} order by name`;
        return { batch, domains: [...rows] };
      }),

    async markPublished(batch) {
      await database.writeRepeatable(async (sql) => {
        await lockBatches(sql);
        await sql`delete from unpublished_name where batch = ${batch}`;
        await sql`delete from name_batch where number = ${batch}`;
      });
    },

    async statistics() {
      const [counts] = await database.read(
        (sql) => sql<{ domains: number; unpublished: number }[]>`
          select domains, (select coalesce(sum(domains), 0)::bigint from name_batch) as unpublished from name_total`,
      );
      const { domains, unpublished } = counts ?? { domains: 0, unpublished: 0 };
      return { domains, unpublished };
    },

    close: async () => undefined,
  };
}
