/**
 * Performs the jobs of one kind as they fall due, several concurrently. The outcome of each is written to the store; a job without an outcome,
 * because its process died or lost the lease, is leased and performed again. Performing a job must therefore be idempotent.
 */

import { backoffMs } from '../../concurrency/backoff.ts';
import { settlesWithin } from '../../concurrency/deadline.ts';
import { type LeasedWorkers, startLeasedWorkers } from '../../concurrency/leased-workers.ts';
import type { Clock } from '../../model/clock.ts';
import { hourMs, minuteMs } from '../../model/durations.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { JobStore, LeasedJob } from '../../store/job-store.ts';

/** Done, and due again at a time or never; or failed, and retried at a time. */
export type JobOutcome =
  | { readonly done: true; readonly againMs: number | undefined }
  | { readonly done: false; readonly dueMs: number };

export interface JobWork {
  readonly kind: string;
  readonly concurrency: number;
  /** Jobs begun within any second. */
  readonly maxPerSecond: number;
  /** A job that takes longer has failed. */
  readonly deadlineMs: number;
  /** True while other work needs the processors more: then no more than an eighth of the jobs, and at least one, are under way. */
  givesWay?(): boolean;
  /** Called when the first job is due; none begins before it has ended, or for ten minutes. */
  prepare?(): Promise<void>;
  /**
   * Must be idempotent. An error is reported, and the job is retried with backoff. `makeRoom` lets another job begin, once this one has only
   * to wait.
   */
  perform(job: LeasedJob, signal: AbortSignal, makeRoom: () => void): Promise<JobOutcome>;
}

export interface JobWorkerNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly jobs: Pick<JobStore, 'leaseJobs' | 'finishJob' | 'retryJob' | 'findNextDueMs'>;
  readonly clock: Clock;
  /** Error callback; the job is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface JobCounts {
  readonly begun: number;
  readonly done: number;
  /** Ended with the outcome that they be retried. */
  readonly retried: number;
  /** Threw, or exceeded the deadline; retried too. */
  readonly failed: number;
  readonly active: number;
}

export interface JobWorker {
  statistics(): JobCounts;
  /** Aborts the jobs under way; their due time stays as it was. */
  close(): Promise<void>;
}

/** Added to the deadline of a job, for the reads and writes around it. */
const leaseMarginMs = minuteMs;
/** How long one attempt to lease waits for `prepare`, and a stop with it. */
const preparationWaitMs = 1000;
/** Work that is never prepared, such as by a file without end, begins all the same: its own limits say what fails then. */
const preparationMsMax = 10 * minuteMs;
const retryBackoff = { firstMs: minuteMs, factor: 4, maxMs: 6 * hourMs };

/** How long a failed job waits: one minute, 4, 16, … up to 6 hours. `attempts` includes the failed one. */
export function jobBackoffMs(attempts: number): number {
  return backoffMs(attempts, retryBackoff);
}

export function startJobWorker(work: JobWork, needs: JobWorkerNeeds): JobWorker {
  const { kind, concurrency, maxPerSecond, deadlineMs } = work;
  const { jobs, clock, onFailure, freeSpace } = needs;
  const concurrencyGivingWay = Math.max(1, Math.floor(concurrency / 8));
  const counts = { begun: 0, done: 0, retried: 0, failed: 0 };
  let preparing: Promise<void> | undefined;
  let preparingSinceMs = 0;
  const isPrepared = async () => {
    if (!preparing) preparingSinceMs = performance.now();
    preparing ??= work.prepare?.().catch(onFailure) ?? Promise.resolve();
    return (
      performance.now() - preparingSinceMs > preparationMsMax || settlesWithin(preparing, preparationWaitMs)
    );
  };
  const workers: LeasedWorkers = startLeasedWorkers<LeasedJob, JobOutcome>({
    concurrency,
    maxPerSecond,
    deadlineMs,
    msUntilDue: async () => ((await jobs.findNextDueMs(kind)) ?? Number.POSITIVE_INFINITY) - clock.now(),
    lease: async (room) => {
      if (freeSpace?.hasRoom() === false || !(await isPrepared())) return [];
      const limit = work.givesWay?.() ? Math.min(room, concurrencyGivingWay - workers.active) : room;
      if (limit <= 0) return [];
      const nowMs = clock.now();
      return jobs.leaseJobs(kind, limit, nowMs, nowMs + deadlineMs + leaseMarginMs);
    },
    perform: (job, signal, makeRoom) => {
      counts.begun += 1;
      return work.perform(job, signal, makeRoom);
    },
    complete: async (job, outcome) => {
      if (outcome.done) await jobs.finishJob(job, outcome.againMs);
      else await jobs.retryJob(job, outcome.dueMs);
      counts[outcome.done ? 'done' : 'retried'] += 1;
    },
    fail: async (job, error) => {
      counts.failed += 1;
      onFailure(error);
      await jobs.retryJob(job, clock.now() + jobBackoffMs(job.attempts));
    },
    release: async (job) => void (await jobs.retryJob(job, job.dueMs)),
    onFailure,
  });
  return {
    statistics: () => ({ ...counts, active: workers.active }),
    close: () => workers.close(),
  };
}
