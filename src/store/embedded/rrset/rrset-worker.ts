/** A worker thread of the passive DNS store. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { rrsetCalls } from './rrset-calls.ts';

serveWorkerCalls(rrsetCalls((workerData as { directory: string }).directory));
