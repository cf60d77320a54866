/** The worker thread of the investigation store. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { openDatabase } from '../database.ts';
import { investigationCalls } from './investigation-calls.ts';

serveWorkerCalls(investigationCalls(openDatabase((workerData as { path: string }).path, 'desk', 'full')));
