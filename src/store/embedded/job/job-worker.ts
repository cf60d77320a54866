/** A worker thread of the job store, which writes the raw answers of collectors as well. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { openDatabase } from '../database.ts';
import { type RawAnswerCalls, rawAnswerCalls } from '../evidence/raw-answer-calls.ts';
import { jobCalls } from './job-calls.ts';
import type { JobWorkerData } from './job-threads.ts';

const { jobsPath, imagesPath } = workerData as JobWorkerData;
/** Opened with the first answers: many jobs have none. */
let rawAnswers: RawAnswerCalls | undefined;

serveWorkerCalls({
  ...jobCalls(openDatabase(jobsPath, 'jobs', 'full')),
  saveAnswers(...args: Parameters<RawAnswerCalls['saveAnswers']>) {
    rawAnswers ??= rawAnswerCalls(openDatabase(imagesPath, 'images', 'full'));
    return rawAnswers.saveAnswers(...args);
  },
});
