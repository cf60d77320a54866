/**
 * Does the jobs of one kind that are due, many at once. What is not settled, because a process was killed or a store failed, is done again
 * by whoever leases it next: so all of this must bear repetition.
 */
import type { Clock } from '../../model/clock.ts';
import type { JobStore, LeasedJob } from '../../store/job-store.ts';
import { backoffMs } from '../jobs/backoff.ts';

export interface BatchWork {
  readonly kind: string;
  readonly atOnce: number;
  /** When each is due again, in the same order; undefined: never. */
  readonly perform: (subjects: readonly string[]) => Promise<readonly (number | undefined)[]>;
}

export interface WorkOffNeeds {
  readonly jobs: Pick<JobStore, 'lease' | 'finish' | 'retry' | 'findNextDueMs'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Far longer than a batch takes. */
const leaseMs = 300_000;

/** Until nothing is due, or it is told to stop. */
export async function workOff(work: BatchWork, needs: WorkOffNeeds): Promise<void> {
  const { jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    const nowMs = clock.now();
    if (((await jobs.findNextDueMs(work.kind)) ?? Infinity) > nowMs) return;
    const leased = await jobs.lease(work.kind, work.atOnce, nowMs, nowMs + leaseMs);
    if (leased.length === 0) return;
    await performAll(leased, work, needs);
  }
}

/** One that cannot be done does not keep the others from it: where they fail together, each has a turn of its own. */
async function performAll(leased: readonly LeasedJob[], work: BatchWork, needs: WorkOffNeeds): Promise<void> {
  try {
    await performTogether(leased, work, needs.jobs);
  } catch (error) {
    if (!needs.signal?.aborted) needs.onFailure(error);
    for (const job of leased) await performAlone(job, work, needs);
  }
}

async function performTogether(
  leased: readonly LeasedJob[],
  work: BatchWork,
  jobs: WorkOffNeeds['jobs'],
): Promise<void> {
  const againMs = await work.perform(leased.map(({ subject }) => subject));
  await Promise.all(leased.map((job, index) => jobs.finish(job, againMs[index])));
}

async function performAlone(
  job: LeasedJob,
  work: BatchWork,
  { jobs, clock, signal }: WorkOffNeeds,
): Promise<void> {
  // Where we stop, nothing has failed.
  if (signal?.aborted) return void (await jobs.retry(job, job.dueMs));
  try {
    await performTogether([job], work, jobs);
  } catch {
    await jobs.retry(job, clock.now() + backoffMs(job.attempts));
  }
}
