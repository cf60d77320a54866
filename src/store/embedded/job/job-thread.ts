/** A thread of the store of jobs. */
import { workerData } from 'node:worker_threads';
import { openDatabase } from '../database.ts';
import { performJobs } from '../thread-jobs.ts';
import { jobWork } from './job-work.ts';

performJobs(jobWork(openDatabase((workerData as { path: string }).path, 'jobs', 'full')));
