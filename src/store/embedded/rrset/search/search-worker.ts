/** The worker thread of flexible search. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../../concurrency/worker-client.ts';
import { searchCalls } from './search-calls.ts';

const { directory, cacheBytes } = workerData as { directory: string; cacheBytes: number };
serveWorkerCalls(searchCalls(directory, cacheBytes));
