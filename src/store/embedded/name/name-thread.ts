/** The thread of the store of names. */
import { workerData } from 'node:worker_threads';
import { openDatabase } from '../database.ts';
import { performJobs } from '../thread-jobs.ts';
import { nameWork } from './name-work.ts';

performJobs(nameWork(openDatabase((workerData as { path: string }).path, 'names', 'full')));
