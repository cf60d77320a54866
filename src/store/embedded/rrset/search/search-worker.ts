/** The worker thread of flexible search. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../../concurrency/worker-client.ts';
import { searchCalls } from './search-calls.ts';

serveWorkerCalls(searchCalls((workerData as { directory: string }).directory));
