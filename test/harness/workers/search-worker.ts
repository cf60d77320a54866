/** The thread of flexible search, which a test can end. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../src/concurrency/worker-client.ts';
import { Manifest } from '../../../src/store/embedded/rrset/manifest.ts';
import { OpenSegments } from '../../../src/store/embedded/rrset/open-segments.ts';
import { searchCalls } from '../../../src/store/rrset/search/search-calls.ts';
import { BlockCache } from '../../../src/store/rrset/segment/block-cache.ts';

export type MortalSearchCalls = ReturnType<typeof searchCalls> & { die(): void };

const { directory } = workerData as { directory: string };
const calls: MortalSearchCalls = {
  ...searchCalls(() => new OpenSegments(directory, new Manifest(directory), new BlockCache(1 << 20))),
  die: () => process.exit(3),
};
serveWorkerCalls(calls);
