/** A worker thread of the job store. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { openDatabase } from '../database.ts';
import { jobCalls } from './job-calls.ts';

serveWorkerCalls(jobCalls(openDatabase((workerData as { path: string }).path, 'jobs', 'full')));
