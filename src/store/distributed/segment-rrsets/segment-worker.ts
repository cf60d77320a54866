/** A worker thread that writes, merges and verifies the tables of segments in the cache directory of a node. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { tableCalls } from '../../rrset/table-calls.ts';

serveWorkerCalls(tableCalls((workerData as { directory: string }).directory));
