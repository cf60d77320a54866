/** One row per job, indexed by the time at which it can next be leased. Several nodes lease at once, and none waits for another. */
import { GroupedCalls } from '../../../concurrency/grouped-calls.ts';
import type { Clock } from '../../../model/clock.ts';
import { type JobOutcome, outcomesMax } from '../../job/job-outcome.ts';
import type { JobStore, LeasedJob } from '../../job-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { JobClock } from './job-clock.ts';
import { enqueueJobs, writeOutcomes } from './job-writes.ts';

/** Jobs per transaction. */
const enqueueBatchSize = 10_000;

interface LeasedRow extends Omit<LeasedJob, 'kind'> {
  /** Before it was leased. */
  readonly readyMs: number;
}

export function openJobStore(database: PostgresDatabase, clock: Clock): JobStore {
  const jobClock = new JobClock(database, clock);
  const outcomes = new GroupedCalls<JobOutcome, boolean>(
    (batch) => database.write(async (sql) => writeOutcomes(sql, batch, await jobClock.setMs(sql))),
    outcomesMax,
  );
  return {
    async enqueue(jobs) {
      for (let from = 0; from < jobs.length; from += enqueueBatchSize)
        await database.writeRepeatable(async (sql) =>
          enqueueJobs(sql, jobs.slice(from, from + enqueueBatchSize), await jobClock.setMs(sql)),
        );
    },

    async leaseJobs(kind, limit, nowMs, untilMs) {
      await jobClock.followBack();
      const rows = await database.write(async (sql) => {
        const setMs = await jobClock.setMs(sql);
        // A request from before this lease is served by it, and does not make the job due again.
        return sql<LeasedRow[]>`
          with next as (
            select kind, subject, ready_ms from job where kind = ${kind} and ready_ms <= ${nowMs}
            order by ready_ms, subject limit ${limit} for update skip locked)
          update job set ready_ms = ${untilMs}, attempts = attempts + 1, lease = gen_random_uuid(), set_ms = ${setMs},
            again_ms = case when again_ms > ${nowMs} then again_ms end
          from next where job.kind = next.kind and job.subject = next.subject
          returning job.subject, job.due_ms as "dueMs", job.attempts, job.lease, next.ready_ms as "readyMs"`;
      });
      return rows
        .toSorted((one, other) => one.readyMs - other.readyMs || (one.subject < other.subject ? -1 : 1))
        .map(({ subject, dueMs, attempts, lease }) => ({ kind, subject, dueMs, attempts, lease }));
    },

    finishJob: (job, againMs) => outcomes.call({ job, dueMs: againMs, failed: false }),
    retryJob: (job, dueMs) => outcomes.call({ job, dueMs, failed: true }),

    async findNextDueMs(kind) {
      await jobClock.followBack();
      const [row] = await database.read(
        (sql) => sql<{ nextMs: number | null }[]>`
          select min(ready_ms) as "nextMs" from job where kind = ${kind}`,
      );
      return row?.nextMs ?? undefined;
    },

    async findDueMs(kind, subjects) {
      const rows = await database.read(
        (sql) => sql<{ subject: string; dueMs: number }[]>`
          select subject, due_ms as "dueMs" from job where kind = ${kind} and subject = any(${subjects})`,
      );
      const due = new Map(rows.map(({ subject, dueMs }) => [subject, dueMs]));
      return subjects.map((subject) => due.get(subject));
    },

    async statistics(kind, nowMs) {
      const [counts] = await database.read(
        (sql) => sql<{ due: number; later: number; leased: number }[]>`
          select
            (select count(*) from job where kind = ${kind} and ready_ms <= ${nowMs}) as due,
            (select count(*) from job where kind = ${kind} and ready_ms > ${nowMs}) as later,
            (select count(*) from job where kind = ${kind} and ready_ms > ${nowMs} and lease is not null) as leased`,
      );
      const { due, later, leased } = counts ?? { due: 0, later: 0, leased: 0 };
      return { waiting: later - leased, due, leased };
    },

    close: () => outcomes.finish(),
  };
}
