import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { openDatabase } from '../database.ts';
import { riskCalls } from './risk-calls.ts';

serveWorkerCalls(riskCalls(openDatabase((workerData as { path: string }).path, 'risks', 'full')));
