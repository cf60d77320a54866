/** What writing a batch and compacting segments have in common: several tables become one segment, or nothing. */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { ThreadName } from '../../rrset/segment-writer.ts';
import type { RrsetCalls } from './rrset-calls.ts';

export type RrsetThreads = WorkerClient<RrsetCalls, ThreadName>;

/**
 * Does the work that writes and commits a segment. A thread can die after the commit and before its response, so where the work
 * fails, the manifest decides: a segment that it lists is committed and keeps its files, any other loses them.
 */
export async function writeSegment(
  name: string,
  threads: RrsetThreads,
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (await threads.run('first', 'discardUnlisted', [name]).catch(() => true)) throw error;
    return true;
  }
}
