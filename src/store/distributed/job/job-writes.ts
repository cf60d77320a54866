/** Enqueues jobs and writes their outcomes, many with one statement. Rows are locked in the order of their key. */
import type { JobOutcome } from '../../job/job-outcome.ts';
import type { NewJob } from '../../job-store.ts';
import type { Transaction } from '../postgres/database.ts';

export async function enqueueJobs(sql: Transaction, jobs: readonly NewJob[], setMs: number): Promise<void> {
  const earliest = [...earliestJobs(jobs).values()];
  await sql`
    insert into job (kind, subject, due_ms, ready_ms, set_ms)
    select kind, subject, due_ms, due_ms, ${setMs}
    from unnest(
      ${earliest.map(({ kind }) => kind)}::text[], ${earliest.map(({ subject }) => subject)}::text[],
      ${earliest.map(({ dueMs }) => dueMs)}::bigint[]) added (kind, subject, due_ms)
    order by kind collate "C", subject collate "C"
    on conflict (kind, subject) do update set
      set_ms = case when job.lease is not null then greatest(job.set_ms, excluded.set_ms)
        when excluded.due_ms < job.due_ms then excluded.set_ms else job.set_ms end,
      due_ms = case when job.lease is null then least(job.due_ms, excluded.due_ms) else job.due_ms end,
      ready_ms = case when job.lease is null then least(job.ready_ms, excluded.due_ms) else job.ready_ms end,
      again_ms = case when job.lease is not null then least(job.again_ms, excluded.due_ms) end`;
}

/** One statement can set a row once. */
function earliestJobs(jobs: readonly NewJob[]): ReadonlyMap<string, NewJob> {
  const earliest = new Map<string, NewJob>();
  for (const job of jobs) {
    const key = `${job.kind} ${job.subject}`;
    const known = earliest.get(key);
    if (!known || job.dueMs < known.dueMs) earliest.set(key, job);
  }
  return earliest;
}

/** False for each job whose lease was lost, also by an earlier outcome of the same lease. */
export async function writeOutcomes(
  sql: Transaction,
  outcomes: readonly JobOutcome[],
  setMs: number,
): Promise<readonly boolean[]> {
  const firsts = new Map<string, JobOutcome>();
  for (const outcome of outcomes) if (!firsts.has(outcome.job.lease)) firsts.set(outcome.job.lease, outcome);
  const first = [...firsts.values()];
  // What was enqueued meanwhile is known from the locked rows alone: the others are as they were when the statement began.
  const rows = await sql<{ lease: string }[]>`
    with locked as (
      select job.kind, job.subject, job.lease, least(ended.due_ms, job.again_ms) as next_ms, ended.failed
      from unnest(
        ${first.map(({ job }) => job.kind)}::text[], ${first.map(({ job }) => job.subject)}::text[],
        ${first.map(({ job }) => job.lease)}::text[], ${first.map(({ dueMs }) => dueMs ?? null)}::bigint[],
        ${first.map(({ failed }) => (failed ? 1 : 0))}::int[]) ended (kind, subject, lease, due_ms, failed)
      join job on job.kind = ended.kind and job.subject = ended.subject and job.lease::text = ended.lease
      order by job.kind, job.subject for update of job),
    removed as (
      delete from job using locked
      where job.kind = locked.kind and job.subject = locked.subject and locked.next_ms is null
      returning locked.lease),
    released as (
      update job set due_ms = locked.next_ms, ready_ms = locked.next_ms,
        attempts = case when locked.failed = 1 then job.attempts else 0 end, lease = null, again_ms = null, set_ms = ${setMs}
      from locked where job.kind = locked.kind and job.subject = locked.subject and locked.next_ms is not null
      returning locked.lease)
    select lease from removed union all select lease from released`;
  const written = new Set(rows.map(({ lease }) => lease));
  return outcomes.map(
    (outcome) => written.has(outcome.job.lease) && firsts.get(outcome.job.lease) === outcome,
  );
}
