/**
 * Shared collections as part of watchlist.db: `sharing_collection`, `sharing_object`. Triggers note names whose state may have changed in
 * `sharing_pending`. Reads run in the main thread, by ranges of indexes.
 */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { SharingStore } from '../../detect/sharing-store.ts';
import type { Database } from '../database.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';
import { CollectionRows } from './collection-rows.ts';
import { ObjectRows } from './object-rows.ts';

type Threads = Pick<WorkerClient<DetectCalls, 'write'>, 'on'>;

export function sharingStore(database: Database, threads: Threads): SharingStore {
  const collections = new CollectionRows(database);
  const objects = new ObjectRows(database);
  return {
    listCollections: async (accountId) =>
      collections.ofAccount(accountId).map(({ name, title }) => ({ list: name, title })),
    async isUnrefreshed(key) {
      const row = collections.find(key);
      return row === undefined || row.filled !== null || collections.hasPending(key.accountId);
    },
    refreshCollection: threads.on('write', 'refreshCollection'),
    hotlistOffset: async () => collections.find({ accountId: '', list: 'hotlist' })?.feed_offset ?? 0,
    addHotDomains: threads.on('write', 'addHotDomains'),
    async listObjects(key, query) {
      const row = collections.find(key);
      return row ? objects.list(row.number, query) : { versions: [], isMore: false };
    },
  };
}
