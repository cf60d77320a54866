/** The worker thread of the name store. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { openDatabase } from '../database.ts';
import { nameCalls } from './name-calls.ts';

serveWorkerCalls(nameCalls(openDatabase((workerData as { path: string }).path, 'names', 'full')));
