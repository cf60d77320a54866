/** What the worker thread does with `names.db`. */
import { LeaseLost } from '../../lease/fencing-token.ts';
import { batchDomainsMax } from '../../name/batch-size.ts';
import type { NewDomain, SourceProgress, UnpublishedDomains } from '../../name-store.ts';
import { type Database, write } from '../database.ts';
import { fences } from '../lease/fences.ts';

interface Batch {
  readonly number: number;
  readonly domains: number;
  readonly is_sealed: number;
}

interface UnpublishedRow {
  readonly name: string;
  readonly seen_ms: number;
  readonly source: string;
}

/** A batch in the form sent between threads: columns are several times faster to clone than ten thousand objects. */
interface UnpublishedColumns {
  readonly batch: number;
  readonly names: readonly string[];
  readonly seenMs: readonly number[];
  readonly sources: readonly string[];
}

export type NameCalls = ReturnType<typeof nameCalls>;

export function nameCalls(database: Database) {
  const leases = fences(database);
  const insertDomain = database.prepare('insert or ignore into domain (name, seen_seconds) values (?, ?)');
  const insertUnpublished = database.prepare(
    'insert into untold (batch, name, seen_ms, source) values (?, ?, ?, ?)',
  );
  const last = database.prepare('select number, domains, is_sealed from batch order by number desc limit 1');
  const first = database.prepare('select number, domains, is_sealed from batch order by number limit 1');
  const insertBatch = database.prepare('insert into batch (domains) values (0)');
  const grow = database.prepare('update batch set domains = domains + ? where number = ?');
  const seal = database.prepare('update batch set is_sealed = 1 where number = ?');
  const addToTotal = database.prepare('update total set domains = domains + ?');
  const setCheckpoint = database.prepare(
    'insert into source (name, place) values (?, ?) on conflict do update set place = excluded.place',
  );
  const inBatch = database.prepare('select name, seen_ms, source from untold where batch = ? order by name');
  const deleteUnpublished = database.prepare('delete from untold where batch = ?');
  const deleteBatch = database.prepare('delete from batch where number = ?');

  /** The open batch if it has room for this many more domains, otherwise a new one. */
  const batchFor = (more: number): number => {
    const batch = last.get() as Batch | undefined;
    if (batch && batch.is_sealed === 0 && batch.domains + more <= batchDomainsMax) return batch.number;
    return Number(insertBatch.run().lastInsertRowid);
  };

  return {
    recordNames: (
      source: string,
      domains: readonly string[],
      seenMs: number,
      { checkpoint, fence }: SourceProgress = {},
    ) =>
      write(database, () => {
        if (fence && !leases.admits(fence)) throw new LeaseLost(fence.lease);
        // Sorted, so that each index page is visited once.
        const seenSeconds = Math.floor(seenMs / 1000);
        const fresh = domains
          .toSorted()
          .filter((domain) => insertDomain.run(domain, seenSeconds).changes > 0);
        if (fresh.length > 0) {
          const batch = batchFor(fresh.length);
          for (const domain of fresh) insertUnpublished.run(batch, domain, seenMs, source);
          grow.run(fresh.length, batch);
          addToTotal.run(fresh.length);
        }
        if (checkpoint !== undefined) setCheckpoint.run(source, checkpoint);
        return fresh.length;
      }),

    findUnpublished: async (): Promise<UnpublishedColumns | undefined> => {
      if (!first.get()) return undefined;
      return write(database, () => {
        const batch = first.get() as Batch | undefined;
        if (!batch) return undefined;
        if (batch.is_sealed === 0) seal.run(batch.number);
        const rows = inBatch.all(batch.number) as UnpublishedRow[];
        return {
          batch: batch.number,
          names: rows.map(({ name }) => name),
          seenMs: rows.map(({ seen_ms }) => seen_ms),
          sources: rows.map(({ source }) => source),
        };
      });
    },

    markPublished: (batch: number) =>
      write(database, () => {
        deleteUnpublished.run(batch);
        deleteBatch.run(batch);
      }),
  };
}

export function unpublishedDomains({
  batch,
  names,
  seenMs,
  sources,
}: UnpublishedColumns): UnpublishedDomains {
  const domains = names.map((domain, index): NewDomain => {
    return { domain, seenMs: seenMs[index] as number, source: sources[index] as string };
  });
  return { batch, domains };
}
