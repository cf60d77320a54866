/**
 * What threads do with `jobs.db`. A job that somebody holds is one that is ready only when its lease ends. A lease begins with the process
 * that holds it, so that the next start has what a killed one was doing at once.
 */
import { randomUUID } from 'node:crypto';
import type { LeasedJob, NewJob } from '../../job-store.ts';
import { type Database, write } from '../database.ts';
import { isAlive, ownLife, type ProcessLife } from '../process-life.ts';
import type { Settlement } from './settlements.ts';

interface Leased {
  readonly subject: string;
  readonly due_ms: number;
  readonly attempts: number;
}

export type JobWork = ReturnType<typeof jobWork>;

export function jobWork(database: Database) {
  const put = database.prepare(
    `insert into job (kind, subject, due_ms, ready_ms) values (:kind, :subject, :dueMs, :dueMs)
     on conflict do update set
       due_ms = iif(lease is null, min(due_ms, :dueMs), due_ms),
       ready_ms = iif(lease is null, min(ready_ms, :dueMs), ready_ms),
       again_ms = iif(lease is null, null, min(ifnull(again_ms, :dueMs), :dueMs))`,
  );
  const ready = database.prepare(
    'select subject, due_ms, attempts from job where kind = ? and ready_ms <= ? order by ready_ms, subject limit ?',
  );
  // Asked for again before it was begun again: this time serves both.
  const take = database.prepare(
    `update job set ready_ms = :untilMs, attempts = attempts + 1, lease = :lease,
       again_ms = iif(again_ms > :nowMs, again_ms, null)
     where kind = :kind and subject = :subject`,
  );
  const remove = database.prepare(
    'delete from job where kind = ? and subject = ? and lease = ? and again_ms is null',
  );
  const release = database.prepare(
    `update job set due_ms = min(ifnull(:dueMs, again_ms), ifnull(again_ms, :dueMs)),
       ready_ms = min(ifnull(:dueMs, again_ms), ifnull(again_ms, :dueMs)),
       attempts = iif(:failed, attempts, 0), lease = null, again_ms = null
     where kind = :kind and subject = :subject and lease = :lease`,
  );
  const giveBack = ({ kind, subject, lease }: LeasedJob, dueMs: number | undefined, failed: boolean) =>
    release.run({ kind, subject, lease, dueMs: dueMs ?? null, failed: failed ? 1 : 0 }).changes > 0;
  const holders = database
    .prepare("select distinct substr(lease, 1, instr(lease, '/') - 1) from job where lease is not null")
    .pluck();
  const free = database.prepare(
    `update job set due_ms = min(due_ms, ifnull(again_ms, due_ms)), ready_ms = min(due_ms, ifnull(again_ms, due_ms)),
       lease = null, again_ms = null
     where lease is not null and substr(lease, 1, instr(lease, '/') - 1) = ?`,
  );
  const own = holderText(ownLife());
  const counts = database.prepare(
    `select
       (select count(*) from job where kind = :kind and ready_ms <= :nowMs) as due,
       (select count(*) from job where kind = :kind and ready_ms > :nowMs) as later,
       (select count(*) from job where kind = :kind and ready_ms > :nowMs and lease is not null) as leased`,
  );

  return {
    enqueue: (jobs: readonly NewJob[]) =>
      write(database, () => {
        for (const { kind, subject, dueMs } of jobs) put.run({ kind, subject, dueMs });
      }),

    lease: (kind: string, limit: number, nowMs: number, untilMs: number) =>
      write(database, () => {
        const found = ready.all(kind, nowMs, limit) as Leased[];
        return found.map(({ subject, due_ms, attempts }): LeasedJob => {
          const lease = `${own}/${randomUUID()}`;
          take.run({ kind, subject, lease, nowMs, untilMs });
          return { kind, subject, dueMs: due_ms, attempts: attempts + 1, lease };
        });
      }),

    settle: (settlements: readonly Settlement[]) =>
      write(database, () =>
        settlements.map(({ job, dueMs, failed }) => {
          const { kind, subject, lease } = job;
          if (dueMs === undefined && remove.run(kind, subject, lease).changes > 0) return true;
          return giveBack(job, dueMs, failed);
        }),
      ),

    /** What processes held that are gone is to be had at once. */
    freeTheDead: () =>
      write(database, () => {
        for (const holder of holders.all() as string[]) if (!isAlive(lifeOf(holder))) free.run(holder);
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

function holderText({ process: pid, started }: ProcessLife): string {
  return `${pid}.${started}`;
}

function lifeOf(holder: string): ProcessLife {
  const [pid, started = ''] = holder.split('.');
  return { process: Number(pid), started };
}
