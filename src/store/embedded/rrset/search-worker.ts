/** The worker thread of flexible search. */
import { workerData } from 'node:worker_threads';
import { giveWay } from '../../../concurrency/give-way.ts';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { searchCalls } from '../../rrset/search/search-calls.ts';
import { BlockCache } from '../../rrset/segment/block-cache.ts';
import { Manifest } from './manifest.ts';
import { OpenSegments } from './open-segments.ts';

const { directory, cacheBytes } = workerData as { directory: string; cacheBytes: number };
// Scans read ahead by themselves; the cache serves the trigram index.
const openSegments = () => new OpenSegments(directory, new Manifest(directory), new BlockCache(cacheBytes));
giveWay();
serveWorkerCalls(searchCalls(openSegments));
