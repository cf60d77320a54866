/** What a thread does with `names.db`. */
import type { NewDomain, UntoldDomains } from '../../name-store.ts';
import { type Database, write } from '../database.ts';

/** One feed line for each: a batch is appended to the feed at once. */
const batchDomainsMax = 10_000;

interface Batch {
  readonly number: number;
  readonly domains: number;
  readonly is_sealed: number;
}

interface UntoldRow {
  readonly name: string;
  readonly seen_ms: number;
  readonly source: string;
}

/** A batch as it goes from thread to thread: ten thousand objects would take several times as long. */
interface UntoldColumns {
  readonly batch: number;
  readonly names: readonly string[];
  readonly seenMs: readonly number[];
  readonly sources: readonly string[];
}

export type NameWork = ReturnType<typeof nameWork>;

export function nameWork(database: Database) {
  const know = database.prepare('insert or ignore into domain (name, seen_seconds) values (?, ?)');
  const wait = database.prepare('insert into untold (batch, name, seen_ms, source) values (?, ?, ?, ?)');
  const last = database.prepare('select number, domains, is_sealed from batch order by number desc limit 1');
  const first = database.prepare('select number, domains, is_sealed from batch order by number limit 1');
  const open = database.prepare('insert into batch (domains) values (0)');
  const grow = database.prepare('update batch set domains = domains + ? where number = ?');
  const seal = database.prepare('update batch set is_sealed = 1 where number = ?');
  const count = database.prepare('update total set domains = domains + ?');
  const reach = database.prepare(
    'insert into source (name, place) values (?, ?) on conflict do update set place = excluded.place',
  );
  const inBatch = database.prepare('select name, seen_ms, source from untold where batch = ? order by name');
  const forget = database.prepare('delete from untold where batch = ?');
  const drop = database.prepare('delete from batch where number = ?');

  /** One that takes as many more. */
  const openBatch = (more: number): number => {
    const batch = last.get() as Batch | undefined;
    if (batch && batch.is_sealed === 0 && batch.domains + more <= batchDomainsMax) return batch.number;
    return Number(open.run().lastInsertRowid);
  };

  return {
    take: (source: string, domains: readonly string[], seenMs: number, place: string | undefined) =>
      write(database, () => {
        // In the order of the index, each of its pages is touched once.
        const seenSeconds = Math.floor(seenMs / 1000);
        const fresh = domains.toSorted().filter((domain) => know.run(domain, seenSeconds).changes > 0);
        if (fresh.length > 0) {
          const batch = openBatch(fresh.length);
          for (const domain of fresh) wait.run(batch, domain, seenMs, source);
          grow.run(fresh.length, batch);
          count.run(fresh.length);
        }
        if (place !== undefined) reach.run(source, place);
        return fresh.length;
      }),

    findUntold: async (): Promise<UntoldColumns | undefined> => {
      if (!first.get()) return undefined;
      return write(database, () => {
        const batch = first.get() as Batch | undefined;
        if (!batch) return undefined;
        if (batch.is_sealed === 0) seal.run(batch.number);
        const rows = inBatch.all(batch.number) as UntoldRow[];
        return {
          batch: batch.number,
          names: rows.map(({ name }) => name),
          seenMs: rows.map(({ seen_ms }) => seen_ms),
          sources: rows.map(({ source }) => source),
        };
      });
    },

    markTold: (batch: number) =>
      write(database, () => {
        forget.run(batch);
        drop.run(batch);
      }),
  };
}

export function untoldDomains({ batch, names, seenMs, sources }: UntoldColumns): UntoldDomains {
  const domains = names.map((domain, index): NewDomain => {
    return { domain, seenMs: seenMs[index] as number, source: sources[index] as string };
  });
  return { batch, domains };
}
