/** A thread of the store of watchlists. */
import { workerData } from 'node:worker_threads';
import { performJobs } from '../thread-jobs.ts';
import { openWatchlist } from './open-watchlist.ts';
import { watchlistWork } from './watchlist-work.ts';

performJobs(watchlistWork(openWatchlist((workerData as { path: string }).path)));
