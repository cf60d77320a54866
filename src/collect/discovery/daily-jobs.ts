/**
 * Watched domains are looked at every day, each at a time of day of its own, so that the work is spread. Asking again for what is
 * waiting changes nothing, and what was not done in its time is still one job.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { workOnWatched } from '../../model/detect/watched-work.ts';
import type { JobStore, NewJob } from '../../store/job-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface DailyJobsNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listWatchedNames'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const dayMs = 86_400_000;
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

/** The next ones that are due. */
export function dailyJobs(domain: string, nowMs: number): readonly NewJob[] {
  const timeOfDayMs = createHash('sha256').update(domain).digest().readUInt32BE() % dayMs;
  const todayMs = nowMs - (nowMs % dayMs) + timeOfDayMs;
  const dueMs = todayMs > nowMs ? todayMs : todayMs + dayMs;
  return workOnWatched.map((kind) => ({ kind, subject: domain, dueMs }));
}
