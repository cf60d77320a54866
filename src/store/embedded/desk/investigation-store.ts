/**
 * desk.db: `investigation`, its searches (`node`) and findings (`item`), and `change`, the latest changes of each. Rows are written in a worker
 * thread (`investigation-calls.ts`), because an import is thousands of them; an investigation is small enough to be read at once.
 */
import { join } from 'node:path';
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { InvestigationStore } from '../../desk/investigation-store.ts';
import { openDatabase } from '../database.ts';
import type { InvestigationCalls } from './investigation-calls.ts';
import { InvestigationRows } from './investigation-rows.ts';

export function openInvestigationStore(data: string): InvestigationStore {
  const path = join(data, 'desk.db');
  const database = openDatabase(path, 'desk', 'full');
  const workers = new WorkerClient<InvestigationCalls, 'write'>({
    file: new URL('./desk-worker.ts', import.meta.url),
    workerData: { path },
    owner: 'the investigation store',
    finish: ['write'],
  });
  const rows = new InvestigationRows(database);
  return {
    listInvestigations: async (range) => rows.list(range),
    findHead: async (key) => rows.findHead(key),
    findInvestigation: async (key) => rows.find(key),
    createInvestigation: workers.on('write', 'create'),
    editInvestigation: workers.on('write', 'edit'),
    recordCounts: workers.on('write', 'recordCounts'),
    lastChangeId: async (accountId) => rows.lastChangeId(accountId),
    listChanges: async (range) => rows.listChanges(range),
    async close() {
      await workers.close();
      database.close();
    },
  };
}
