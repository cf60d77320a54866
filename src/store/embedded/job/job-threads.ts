/** The threads of the job store, and of what is written with the outcome of jobs. */
import { join } from 'node:path';
import { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { RawAnswerCalls } from '../evidence/raw-answer-calls.ts';
import type { JobCalls } from './job-calls.ts';

export type JobThreads = WorkerClient<JobCalls & RawAnswerCalls, 'write' | 'count'>;

export interface JobWorkerData {
  readonly jobsPath: string;
  readonly imagesPath: string;
}

/** Closed by the job store. */
export function jobThreads(data: string): JobThreads {
  const workerData: JobWorkerData = {
    jobsPath: join(data, 'jobs.db'),
    imagesPath: join(data, 'images.db'),
  };
  return new WorkerClient({
    file: new URL('./job-worker.ts', import.meta.url),
    workerData,
    owner: 'the job store',
    finish: ['write'],
  });
}
