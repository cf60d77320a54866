/**
 * jobs.db: one row for each job that is waiting or being done, found by the time at which somebody may have it. Rows are changed and
 * counted in threads (`job/job-work.ts`), because there may be millions.
 */
import { join } from 'node:path';
import type { JobStore } from '../job-store.ts';
import { openDatabase } from './database.ts';
import type { JobWork } from './job/job-work.ts';
import { Settlements } from './job/settlements.ts';
import { ThreadJobs } from './thread-jobs.ts';

export function openJobStore(data: string): JobStore {
  const path = join(data, 'jobs.db');
  const database = openDatabase(path, 'jobs', 'full');
  const threads = new ThreadJobs<JobWork, 'write' | 'count'>({
    file: new URL('./job/job-thread.ts', import.meta.url),
    workerData: { path },
    store: 'the store of jobs',
    finish: ['write'],
  });
  const anyLeased = database.prepare('select 1 from job where lease is not null limit 1').get();
  // Before anything else that the thread is asked for, and whoever asks it hears of a failure.
  if (anyLeased) threads.run('write', 'freeTheDead').catch(() => undefined);
  const settlements = new Settlements(threads.on('write', 'settle'));
  const nextDue = database.prepare('select min(ready_ms) from job where kind = ?').pluck();
  return {
    enqueue: threads.on('write', 'enqueue'),
    lease: threads.on('write', 'lease'),
    finish: (job, againMs) => settlements.put(job, againMs, false),
    retry: (job, dueMs) => settlements.put(job, dueMs, true),
    findNextDueMs: async (kind) => (nextDue.get(kind) as number | null) ?? undefined,
    statistics: threads.on('count', 'statistics'),
    async close() {
      await settlements.finish();
      await threads.close();
      database.close();
    },
  };
}
