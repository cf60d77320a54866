/**
 * names.db. Tables: `domain`, every domain that a source has reported, and when; `source`, the checkpoint of each source; `total`;
 * `untold` (a historical name) and `batch`, the unpublished domains in batches. Rows are written in a worker thread
 * (`name/name-calls.ts`), because there may be hundreds of millions.
 */
import { join } from 'node:path';
import { WorkerClient } from '../../concurrency/worker-client.ts';
import type { NameStore } from '../name-store.ts';
import { openDatabase } from './database.ts';
import { type NameCalls, unpublishedDomains } from './name/name-calls.ts';

export function openNameStore(data: string): NameStore {
  const path = join(data, 'names.db');
  const database = openDatabase(path, 'names', 'full');
  const workers = new WorkerClient<NameCalls, 'write'>({
    file: new URL('./name/name-worker.ts', import.meta.url),
    workerData: { path },
    owner: 'the name store',
    finish: ['write'],
  });
  const checkpoint = database.prepare('select place from source where name = ?').pluck();
  const seen = database.prepare('select seen_seconds from domain where name = ?').pluck();
  const fromPrefix = database
    .prepare('select name from domain where name >= :first and name < :end order by name limit :limit')
    .pluck();
  const counts = database.prepare(
    'select (select domains from total) as domains, (select ifnull(sum(domains), 0) from batch) as unpublished',
  );
  return {
    recordNames: workers.on('write', 'recordNames'),
    findCheckpoint: async (source) => checkpoint.get(source) as string | undefined,
    findSeenMs: async (domains) =>
      domains.map((domain) => {
        const seconds = seen.get(domain) as number | undefined;
        return seconds === undefined ? undefined : seconds * 1000;
      }),
    // No name has a character beyond ASCII.
    listDomainsFrom: async (prefix, limit) =>
      fromPrefix.all({ first: prefix, end: `${prefix}\u007f`, limit }) as string[],
    findUnpublished: async () => {
      const unpublished = await workers.run('write', 'findUnpublished');
      return unpublished && unpublishedDomains(unpublished);
    },
    markPublished: workers.on('write', 'markPublished'),
    statistics: async () => counts.get() as { domains: number; unpublished: number },
    async close() {
      await workers.close();
      database.close();
    },
  };
}
