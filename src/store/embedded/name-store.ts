/**
 * names.db: every domain that a source has told of, and when; those that are still to be told, in batches;
 * and the place of each source. Rows are changed in a thread (`name/name-work.ts`), because there are as many as there are domains.
 */
import { join } from 'node:path';
import type { NameStore } from '../name-store.ts';
import { openDatabase } from './database.ts';
import { type NameWork, untoldDomains } from './name/name-work.ts';
import { ThreadJobs } from './thread-jobs.ts';

export function openNameStore(data: string): NameStore {
  const path = join(data, 'names.db');
  const database = openDatabase(path, 'names', 'full');
  const threads = new ThreadJobs<NameWork, 'write'>({
    file: new URL('./name/name-thread.ts', import.meta.url),
    workerData: { path },
    store: 'the store of names',
    finish: ['write'],
  });
  const place = database.prepare('select place from source where name = ?').pluck();
  const seen = database.prepare('select seen_seconds from domain where name = ?').pluck();
  const counts = database.prepare(
    'select (select domains from total) as domains, (select ifnull(sum(domains), 0) from batch) as untold',
  );
  return {
    take: threads.on('write', 'take'),
    findPlace: async (source) => place.get(source) as string | undefined,
    findSeenMs: async (domain) => {
      const seconds = seen.get(domain) as number | undefined;
      return seconds === undefined ? undefined : seconds * 1000;
    },
    findUntold: async () => {
      const untold = await threads.run('write', 'findUntold');
      return untold && untoldDomains(untold);
    },
    markTold: threads.on('write', 'markTold'),
    statistics: async () => counts.get() as { domains: number; untold: number },
    async close() {
      await threads.close();
      database.close();
    },
  };
}
