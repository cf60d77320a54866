/**
 * Performs the due jobs of one kind in batches until none is left. A batch whose process died or whose store failed is leased and performed
 * again, so performing must be idempotent.
 */
import { drainLeasedWork } from '../../concurrency/leased-workers.ts';
import type { LeasedJob } from '../../store/job-store.ts';
import { type JobWorkerNeeds, jobBackoffMs } from './start-job-worker.ts';

export interface BatchJobs {
  readonly kind: string;
  readonly batchSize: number;
  /** When each is due again, in the same order; undefined: never. */
  readonly perform: (subjects: readonly string[]) => Promise<readonly (number | undefined)[]>;
}

export interface DrainJobsNeeds extends JobWorkerNeeds {
  readonly signal?: AbortSignal;
}

type Batch = readonly LeasedJob[];

/** Far longer than a batch takes. */
const leaseMs = 300_000;

export function drainJobs(
  { kind, batchSize, perform }: BatchJobs,
  { jobs, clock, signal, onFailure }: DrainJobsNeeds,
): Promise<void> {
  const performBatch = async (batch: Batch) => {
    const againMs = await perform(batch.map(({ subject }) => subject));
    await Promise.all(batch.map((job, index) => jobs.finishJob(job, againMs[index])));
  };
  const release = async (batch: Batch) => {
    for (const job of batch) await jobs.retryJob(job, job.dueMs);
  };
  return drainLeasedWork<Batch>(
    {
      concurrency: 1,
      msUntilDue: async () => ((await jobs.findNextDueMs(kind)) ?? Number.POSITIVE_INFINITY) - clock.now(),
      lease: async () => {
        const nowMs = clock.now();
        const batch = await jobs.leaseJobs(kind, batchSize, nowMs, nowMs + leaseMs);
        return batch.length > 0 ? [batch] : [];
      },
      perform: performBatch,
      // One by one, so that a bad one does not hold back the rest of its batch.
      fail: async (batch, error) => {
        onFailure(error);
        for (const [index, job] of batch.entries()) {
          if (signal?.aborted) return release(batch.slice(index));
          await performBatch([job]).catch(() => jobs.retryJob(job, clock.now() + jobBackoffMs(job.attempts)));
        }
      },
      release,
    },
    signal,
  );
}
