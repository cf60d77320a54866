/** The thread of the store of risks. */
import { workerData } from 'node:worker_threads';
import { openDatabase } from '../database.ts';
import { performJobs } from '../thread-jobs.ts';
import { riskWork } from './risk-work.ts';

performJobs(riskWork(openDatabase((workerData as { path: string }).path, 'risks', 'full')));
