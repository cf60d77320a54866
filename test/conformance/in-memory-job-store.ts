/**
 * A job store in memory: the smallest adapter that passes the conformance suite. It shows that the suite depends on no particular adapter,
 * and is the example of docs/how-to/add-a-store-adapter.md. Not for production: nothing survives the process.
 */
import { randomUUID } from 'node:crypto';
import type { JobStore, LeasedJob } from '../../src/store/job-store.ts';

interface Job {
  readonly kind: string;
  readonly subject: string;
  dueMs: number;
  attempts: number;
  lease: { readonly id: string; readonly untilMs: number } | undefined;
  /** The earliest due time enqueued while the job is leased. */
  againMs: number | undefined;
}

/** Stands for the shared database: every handle on it sees the same jobs. */
export type JobTable = Map<string, Job>;

export function openInMemoryJobStore(table: JobTable): JobStore {
  const jobsOf = (kind: string) => [...table.values()].filter((job) => job.kind === kind);
  const findLeased = ({ kind, subject, lease }: LeasedJob) => {
    const job = table.get(keyOf(kind, subject));
    return job?.lease?.id === lease ? job : undefined;
  };

  return {
    async enqueue(jobs) {
      for (const { kind, subject, dueMs } of jobs) {
        const job = table.get(keyOf(kind, subject));
        if (!job) {
          const added = { kind, subject, dueMs, attempts: 0, lease: undefined, againMs: undefined };
          table.set(keyOf(kind, subject), added);
        } else if (job.lease) job.againMs = earliest(job.againMs, dueMs);
        else job.dueMs = Math.min(job.dueMs, dueMs);
      }
    },

    async leaseJobs(kind, limit, nowMs, untilMs) {
      const ready = jobsOf(kind)
        .filter((job) => readyMs(job) <= nowMs)
        .sort((one, other) => readyMs(one) - readyMs(other) || (one.subject < other.subject ? -1 : 1));
      return ready.slice(0, limit).map((job): LeasedJob => {
        job.attempts += 1;
        job.lease = { id: randomUUID(), untilMs };
        if (job.againMs !== undefined && job.againMs <= nowMs) job.againMs = undefined;
        const { subject, dueMs, attempts } = job;
        return { kind, subject, dueMs, attempts, lease: job.lease.id };
      });
    },

    async finishJob(leased, againMs) {
      const job = findLeased(leased);
      if (!job) return false;
      const dueMs = earliest(job.againMs, againMs);
      if (dueMs === undefined) table.delete(keyOf(job.kind, job.subject));
      else Object.assign(job, { dueMs, attempts: 0, lease: undefined, againMs: undefined });
      return true;
    },

    async retryJob(leased, dueMs) {
      const job = findLeased(leased);
      if (!job) return false;
      Object.assign(job, { dueMs: earliest(job.againMs, dueMs), lease: undefined, againMs: undefined });
      return true;
    },

    async findNextDueMs(kind) {
      return earliest(...jobsOf(kind).map(readyMs));
    },

    async findDueMs(kind, subjects) {
      return subjects.map((subject) => table.get(keyOf(kind, subject))?.dueMs);
    },

    async statistics(kind, nowMs) {
      const jobs = jobsOf(kind);
      const due = jobs.filter((job) => readyMs(job) <= nowMs).length;
      const leased = jobs.filter((job) => job.lease && readyMs(job) > nowMs).length;
      return { waiting: jobs.length - due - leased, due, leased };
    },

    async close() {},
  };
}

function keyOf(kind: string, subject: string): string {
  return `${kind} ${subject}`;
}

/** When the job can be leased: at its due time, or when its lease ends. */
function readyMs({ dueMs, lease }: Job): number {
  return lease?.untilMs ?? dueMs;
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : given.reduce((one, other) => Math.min(one, other));
}
