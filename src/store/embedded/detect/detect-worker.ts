/** A worker thread of the Detect stores. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { detectCalls } from './detect-calls.ts';
import { openWatchlistDatabase } from './open-watchlist-database.ts';

const { path, cacheBytes } = workerData as { path: string; cacheBytes: number };
serveWorkerCalls(detectCalls(openWatchlistDatabase(path, cacheBytes)));
