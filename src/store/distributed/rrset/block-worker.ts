/** The worker thread that makes the blocks of batches. */
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { batchBlocks } from './batch-blocks.ts';

export type BlockCalls = typeof calls;

const calls = { batchBlocks };
serveWorkerCalls(calls);
