import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { openDatabase } from '../database.ts';
import { riskCalls } from './risk-calls.ts';

const { path, cacheBytes } = workerData as { path: string; cacheBytes: number };
serveWorkerCalls(riskCalls(openDatabase(path, 'risks', 'full'), cacheBytes));
