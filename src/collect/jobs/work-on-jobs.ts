/**
 * Does the jobs of one kind as they fall due, some at once, each at its own pace. Whatever becomes of a job is settled with the store, and
 * what is not settled, because a process was killed or lost its lease, is done again by whoever leases it next: so all work on
 * jobs must bear repetition.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../model/clock.ts';
import type { JobStore, LeasedJob } from '../../store/job-store.ts';
import { backoffMs } from './backoff.ts';
import { inTime } from './in-time.ts';
import { Starts } from './starts.ts';

/** What came of a job: it is done, and due again at a time or never, or it failed and is tried again at a time. */
export type JobOutcome =
  | { readonly done: true; readonly againMs: number | undefined }
  | { readonly done: false; readonly dueMs: number };

export interface JobWork {
  readonly kind: string;
  /** Under way at once. */
  readonly atOnce: number;
  /** Begun within a second. */
  readonly perSecond: number;
  /** A job that takes longer has failed. */
  readonly deadlineMs: number;
  /** What it throws is told, and the job is tried again later. Bears repetition. */
  perform(job: LeasedJob, signal: AbortSignal): Promise<JobOutcome>;
}

export interface JobWorkerNeeds {
  readonly jobs: Pick<JobStore, 'lease' | 'finish' | 'retry' | 'findNextDueMs'>;
  readonly clock: Clock;
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export interface JobCounts {
  readonly begun: number;
  readonly done: number;
  /** Told to be tried again. */
  readonly retried: number;
  /** Threw, or took too long; tried again too. */
  readonly failed: number;
  readonly underWay: number;
}

export interface JobWorker {
  statistics(): JobCounts;
  /** Ends what is under way; those jobs are due as they were. */
  close(): Promise<void>;
}

/** Jobs that other processes enqueue are seen within this. */
const lookMs = 1000;
/** What ends at nearly the same time makes room for one lease of several jobs. */
const gatherMs = 20;
/** Beyond the deadline of a job: for what is read and written around it. */
const leaseMarginMs = 60_000;
/** For work to end by itself when its signal has come. */
const graceMs = 1000;

export function workOnJobs(work: JobWork, needs: JobWorkerNeeds): JobWorker {
  const { kind, atOnce, perSecond, deadlineMs } = work;
  const { jobs, clock, onFailure } = needs;
  const stopping = new AbortController();
  const starts = new Starts(perSecond);
  const underWay = new Set<Promise<void>>();
  const counts = { begun: 0, done: 0, retried: 0, failed: 0 };
  let wake = new AbortController();

  const settle = async (job: LeasedJob, outcome: JobOutcome) => {
    if (outcome.done) await jobs.finish(job, outcome.againMs);
    else await jobs.retry(job, outcome.dueMs);
    counts[outcome.done ? 'done' : 'retried'] += 1;
  };
  /** Where we stop, nothing has failed. */
  const giveBack = async (job: LeasedJob) => void (await jobs.retry(job, job.dueMs));
  const perform = async (job: LeasedJob) => {
    if (stopping.signal.aborted) return giveBack(job);
    let outcome: JobOutcome;
    try {
      const limits = { stop: stopping.signal, deadlineMs, graceMs };
      outcome = await inTime((signal) => work.perform(job, signal), limits);
    } catch (error) {
      if (stopping.signal.aborted) return giveBack(job);
      counts.failed += 1;
      onFailure(error);
      return void (await jobs.retry(job, clock.now() + backoffMs(job.attempts)));
    }
    await settle(job, outcome);
  };
  const begin = (job: LeasedJob) => {
    counts.begun += 1;
    const ended = perform(job)
      .catch(onFailure)
      .finally(() => {
        underWay.delete(ended);
        wake.abort();
      });
    underWay.add(ended);
  };

  /** Begins what may be begun; how long to wait for more unless something ends before. */
  const beginDue = async (): Promise<number> => {
    const room = Math.min(atOnce - underWay.size, starts.room(performance.now()));
    if (room <= 0) return underWay.size >= atOnce ? lookMs : starts.waitMs(performance.now());
    const dueMs = await jobs.findNextDueMs(kind);
    const nowMs = clock.now();
    if (dueMs === undefined || dueMs > nowMs) return Math.min(lookMs, (dueMs ?? Infinity) - nowMs);
    const leased = await jobs.lease(kind, room, nowMs, nowMs + deadlineMs + leaseMarginMs);
    starts.note(leased.length, performance.now());
    for (const job of leased) {
      begin(job);
      // The first steps of many would keep everybody else waiting.
      await turn();
    }
    return 0;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const waitMs = await beginDue().catch((error: unknown) => {
        onFailure(error);
        return lookMs;
      });
      await pause(waitMs, undefined, { signal: wake.signal, ref: false }).catch(() => undefined);
      await pause(gatherMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    statistics: () => ({ ...counts, underWay: underWay.size }),
    close: async () => {
      stopping.abort();
      wake.abort();
      await running;
      await Promise.all(underWay);
    },
  };
}
