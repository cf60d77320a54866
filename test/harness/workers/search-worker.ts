/** The thread of flexible search, which a test can end. */
import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../src/concurrency/worker-client.ts';
import { searchCalls } from '../../../src/store/embedded/rrset/search/search-calls.ts';

export type MortalSearchCalls = ReturnType<typeof searchCalls> & { die(): void };

const calls: MortalSearchCalls = {
  ...searchCalls((workerData as { directory: string }).directory, 1 << 20),
  die: () => process.exit(3),
};
serveWorkerCalls(calls);
