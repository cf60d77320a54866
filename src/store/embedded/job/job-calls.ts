/**
 * What worker threads do with `jobs.db`. A leased job is ready again when its lease ends. A lease id starts with the identity of the process
 * that holds it, so that leases of a killed process can be released at the next start. `setMs` is the clock's time, from which a clock that
 * was set back is noticed (`job-clock.ts`).
 */
import { randomUUID } from 'node:crypto';
import type { JobOutcome } from '../../job/job-outcome.ts';
import type { LeasedJob, NewJob } from '../../job-store.ts';
import { type Database, write } from '../database.ts';
import { currentProcess, isAlive, type ProcessIdentity } from '../process-identity.ts';
import { JobClock } from './job-clock.ts';

interface ReadyRow {
  readonly subject: string;
  readonly due_ms: number;
  readonly attempts: number;
}

interface LeaseRequest {
  readonly kind: string;
  readonly limit: number;
  readonly nowMs: number;
  readonly untilMs: number;
}

export type JobCalls = ReturnType<typeof jobCalls>;

export function jobCalls(database: Database) {
  const insert = database.prepare(
    `insert into job (kind, subject, due_ms, ready_ms, set_ms) values (:kind, :subject, :dueMs, :dueMs, :setMs)
     on conflict do update set
       set_ms = iif(lease is not null, max(set_ms, :setMs), iif(:dueMs < due_ms, :setMs, set_ms)),
       due_ms = iif(lease is null, min(due_ms, :dueMs), due_ms),
       ready_ms = iif(lease is null, min(ready_ms, :dueMs), ready_ms),
       again_ms = iif(lease is null, null, min(ifnull(again_ms, :dueMs), :dueMs))`,
  );
  const ready = database.prepare(
    'select subject, due_ms, attempts from job where kind = ? and ready_ms <= ? order by ready_ms, subject limit ?',
  );
  // A request from before this lease is served by it, and does not make the job due again.
  const setLease = database.prepare(
    `update job set ready_ms = :untilMs, attempts = attempts + 1, lease = :lease, set_ms = :setMs,
       again_ms = iif(again_ms > :nowMs, again_ms, null)
     where kind = :kind and subject = :subject`,
  );
  const remove = database.prepare(
    'delete from job where kind = ? and subject = ? and lease = ? and again_ms is null',
  );
  const release = database.prepare(
    `update job set due_ms = min(ifnull(:dueMs, again_ms), ifnull(again_ms, :dueMs)),
       ready_ms = min(ifnull(:dueMs, again_ms), ifnull(again_ms, :dueMs)),
       attempts = iif(:failed, attempts, 0), lease = null, again_ms = null, set_ms = :setMs
     where kind = :kind and subject = :subject and lease = :lease`,
  );
  const holders = database
    .prepare("select distinct substr(lease, 1, instr(lease, '/') - 1) from job where lease is not null")
    .pluck();
  const releaseAll = database.prepare(
    `update job set due_ms = min(due_ms, ifnull(again_ms, due_ms)), ready_ms = min(due_ms, ifnull(again_ms, due_ms)),
       lease = null, again_ms = null
     where lease is not null and substr(lease, 1, instr(lease, '/') - 1) = ?`,
  );
  const own = holderText(currentProcess());
  const clock = new JobClock(database);
  const counts = database.prepare(
    `select
       (select count(*) from job where kind = :kind and ready_ms <= :nowMs) as due,
       (select count(*) from job where kind = :kind and ready_ms > :nowMs) as later,
       (select count(*) from job where kind = :kind and ready_ms > :nowMs and lease is not null) as leased`,
  );

  return {
    enqueue: (jobs: readonly NewJob[], setMs: number) =>
      write(database, () => {
        clock.record(setMs);
        for (const { kind, subject, dueMs } of jobs) insert.run({ kind, subject, dueMs, setMs });
      }),

    leaseJobs: ({ kind, limit, nowMs, untilMs }: LeaseRequest, setMs: number) =>
      write(database, () => {
        clock.record(setMs);
        const found = ready.all(kind, nowMs, limit) as ReadyRow[];
        return found.map(({ subject, due_ms, attempts }): LeasedJob => {
          const leaseId = `${own}/${randomUUID()}`;
          setLease.run({ kind, subject, lease: leaseId, nowMs, untilMs, setMs });
          return { kind, subject, dueMs: due_ms, attempts: attempts + 1, lease: leaseId };
        });
      }),

    writeOutcomes: (outcomes: readonly JobOutcome[], setMs: number) =>
      write(database, () => {
        clock.record(setMs);
        return outcomes.map(({ job, dueMs, failed }) => {
          const { kind, subject, lease } = job;
          if (dueMs === undefined && remove.run(kind, subject, lease).changes > 0) return true;
          const change = { kind, subject, lease, setMs, dueMs: dueMs ?? null, failed: failed ? 1 : 0 };
          return release.run(change).changes > 0;
        });
      }),

    followClockBack: (nowMs: number) => write(database, () => clock.followBack(nowMs)),

    /** Makes the jobs due again that processes no longer running had leased. */
    releaseDeadLeases: () =>
      write(database, () => {
        for (const holder of holders.all() as string[])
          if (!isAlive(identityOf(holder))) releaseAll.run(holder);
      }),

    statistics(kind: string, nowMs: number) {
      const { due, later, leased } = counts.get({ kind, nowMs }) as Record<string, number>;
      return {
        waiting: (later as number) - (leased as number),
        due: due as number,
        leased: leased as number,
      };
    },
  };
}

function holderText({ process: pid, started }: ProcessIdentity): string {
  return `${pid}.${started}`;
}

function identityOf(holder: string): ProcessIdentity {
  const [pid, started = ''] = holder.split('.');
  return { process: Number(pid), started };
}
