/** The thread that changes streams. What has come while a transaction was synced goes into the next one together. */
import { parentPort, workerData } from 'node:worker_threads';
import { Leases } from './leases.ts';
import { pruneStream, type StreamJob, StreamJobs } from './stream-jobs.ts';

export type ThreadJob =
  | StreamJob
  | { readonly kind: 'repair' }
  | { readonly kind: 'prune'; readonly stream: string; readonly beforeMinute: number };

export type ThreadAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly id: number;
  readonly job: ThreadJob;
}

/** What one transaction takes: more would keep other processes waiting. */
const jobsMax = 256;
const bytesMax = 8 << 20;

const { root } = workerData as { root: string };
const jobs = new StreamJobs(root);
const leases = new Leases(root);
const waiting: Waiting[] = [];
let working = false;

parentPort?.on('message', (message: Waiting) => {
  waiting.push(message);
  if (working) return;
  working = true;
  // After the messages that have already come.
  setImmediate(() => {
    work()
      .catch(() => process.exit(1))
      .finally(() => {
        working = false;
      });
  });
});

async function work(): Promise<void> {
  while (waiting.length > 0) {
    const batch = takeBatch();
    const [alone] = batch;
    try {
      const results =
        alone && isAlone(alone.job) ? [await doAlone(alone.job)] : await jobs.commit(plain(batch));
      for (const [index, { id }] of batch.entries()) answer({ id, result: results[index] });
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      for (const { id } of batch) answer({ id, error: text });
    }
    // Others may have come meanwhile; without a turn of the loop they would not be seen.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Jobs in the order they came, as many as one transaction may take. */
function takeBatch(): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const { job } of waiting) {
    if (isAlone(job)) {
      if (count === 0) count = 1;
      break;
    }
    if (job.kind === 'append') for (const lines of job.lines) bytes += lines.bytes.length;
    if (count > 0 && (bytes > bytesMax || count >= jobsMax)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

type Alone = Extract<ThreadJob, { kind: 'repair' | 'prune' }>;

function isAlone(job: ThreadJob): job is Alone {
  return job.kind === 'repair' || job.kind === 'prune';
}

function plain(batch: readonly Waiting[]): StreamJob[] {
  return batch.map(({ job }) => job as StreamJob);
}

function doAlone(job: Alone): Promise<unknown> {
  return job.kind === 'repair' ? jobs.repair() : pruneStream(jobs, leases, job.stream, job.beforeMinute);
}

function answer(message: ThreadAnswer): void {
  parentPort?.postMessage(message);
}
