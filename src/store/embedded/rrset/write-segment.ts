/** What writing a batch and compacting segments have in common: several tables become one segment, or nothing. */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { RrsetCalls } from './rrset-calls.ts';
import type { WrittenTable } from './segment/build-table.ts';
import type { SegmentSummary } from './segment/segment-files.ts';

/**
 * `first`, `second` and `third` share the writing of a large batch, a table each: that keeps two processors busy although no table takes as
 * long as another; `compactor` works in the background, so that writes never wait for it, and
 * `verifier` reads everything when asked to. A thread that dies fails its own calls only, and the next call starts it again.
 */
export type ThreadName = 'first' | 'second' | 'third' | 'compactor' | 'verifier';
export type RrsetThreads = WorkerClient<RrsetCalls, ThreadName>;

/** One thread writes this much sooner than others start. */
const oneThreadBytes = 1 << 20;

/** The threads that share the work on so many bytes, by table. */
export function writingThreads(bytes: number): Tables<ThreadName> {
  return bytes < oneThreadBytes ? ['first', 'first', 'first'] : ['first', 'second', 'third'];
}

export type Tables<Table> = readonly [forward: Table, inverse: Table, distinct: Table];

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

/** Like `Promise.all`, but a failure waits for the others too, so that no thread writes a file after its removal. */
export async function allSettled<Table>(tables: Tables<Promise<Table>>): Promise<Tables<Table>> {
  await Promise.allSettled(tables);
  return Promise.all(tables);
}

export function summaryOf(name: string, [forward, inverse, distinct]: Tables<WrittenTable>): SegmentSummary {
  const tables = [forward, inverse, distinct, ...(distinct.trigram ? [distinct.trigram] : [])];
  return {
    name,
    rrsets: forward.entries,
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    minFirst: forward.minFirst,
    maxLast: forward.maxLast,
    hasTrigrams: distinct.trigram !== undefined,
    checksums: tables.map(({ checksum }) => checksum),
  };
}
