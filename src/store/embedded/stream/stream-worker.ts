import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { streamCalls } from './stream-calls.ts';

serveWorkerCalls(streamCalls((workerData as { root: string }).root));
