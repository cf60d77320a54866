/**
 * Enqueues the daily jobs of watched domains, each at its own time of day to spread the load. Idempotent: a job that is waiting or overdue exists
 * once.
 */

import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { watchedJobKinds } from '../../model/detect/watched-jobs.ts';
import { dayMs } from '../../model/durations.ts';
import type { JobStore, NewJob } from '../../store/job-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface DailyJobsNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listWatchedNames'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const pageNames = 500;

export async function enqueueDailyJobs(needs: DailyJobsNeeds): Promise<void> {
  const { watchlist, jobs, clock } = needs;
  for (let after = ''; !needs.signal?.aborted; ) {
    const names = await watchlist.listWatchedNames(after, pageNames);
    const last = names.at(-1);
    if (last === undefined) return;
    const nowMs = clock.now();
    await jobs.enqueue(names.flatMap((name) => dailyJobs(name, nowMs)));
    after = last;
  }
}

/** The jobs for the next occurrence of the domain's time of day. */
export function dailyJobs(domain: string, nowMs: number): readonly NewJob[] {
  const timeOfDayMs = createHash('sha256').update(domain).digest().readUInt32BE() % dayMs;
  const todayMs = nowMs - (nowMs % dayMs) + timeOfDayMs;
  const dueMs = todayMs > nowMs ? todayMs : todayMs + dayMs;
  return watchedJobKinds.map((kind) => ({ kind, subject: domain, dueMs }));
}
