/**
 * jobs.db: one row per job, indexed by the time at which it can next be leased. Rows are written and counted in worker threads
 * (`job/job-calls.ts`), because there may be millions.
 */
import { join } from 'node:path';
import { GroupedCalls } from '../../concurrency/grouped-calls.ts';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { Clock } from '../../model/clock.ts';
import { type JobOutcome, outcomesMax } from '../job/job-outcome.ts';
import { isSetBack } from '../job/set-back.ts';
import type { JobStore } from '../job-store.ts';
import { openDatabase } from './database.ts';
import { latestSetMs } from './job/job-clock.ts';
import { jobThreads } from './job/job-threads.ts';

/** Closes the threads, which others may use until then. */
export function openJobStore(data: string, clock: Clock, workers = jobThreads(data)): JobStore {
  const database = openDatabase(join(data, 'jobs.db'), 'jobs', 'full');
  const anyLeased = database.prepare('select 1 from job where lease is not null limit 1').get();
  // The first call of the worker. If it fails, so will the calls that follow, which report the error.
  if (anyLeased) workers.run('write', 'releaseDeadLeases').catch(() => undefined);
  const outcomes = new GroupedCalls<JobOutcome, boolean>(
    (batch) => workers.run('write', 'writeOutcomes', batch, clock.now()),
    outcomesMax,
  );
  let latestMs = latestSetMs(database);
  /** Jobs set by a clock that was ahead would wait until that time returns. */
  const followClock = async () => {
    const nowMs = clock.now();
    const isBack = isSetBack(nowMs, latestMs);
    if (isBack) await workers.run('write', 'followClockBack', nowMs);
    latestMs = isBack ? nowMs : Math.max(latestMs, nowMs);
  };
  const nextDue = database.prepare('select min(ready_ms) from job where kind = ?').pluck();
  const due = database.prepare('select due_ms from job where kind = ? and subject = ?').pluck();
  const inOneTransaction = database.transaction((work: () => void) => work());
  return {
    enqueue: (jobs) => workers.run('write', 'enqueue', jobs, clock.now()),
    async leaseJobs(kind, limit, nowMs, untilMs) {
      await followClock();
      return workers.run('write', 'leaseJobs', { kind, limit, nowMs, untilMs }, clock.now());
    },
    finishJob: (job, againMs) => outcomes.call({ job, dueMs: againMs, failed: false }),
    retryJob: (job, dueMs) => outcomes.call({ job, dueMs, failed: true }),
    async findNextDueMs(kind) {
      await followClock();
      return (nextDue.get(kind) as number | null) ?? undefined;
    },
    findDueMs: (kind, subjects) =>
      mapInSlices(subjects, (subject) => due.get(kind, subject) as number | undefined, inOneTransaction),
    statistics: workers.on('count', 'statistics'),
    async close() {
      await outcomes.finish();
      await workers.close();
      database.close();
    },
  };
}
