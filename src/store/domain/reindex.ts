/**
 * Brings the indexes of all records into agreement with what this version derives from them, in short transactions: a server may run
 * meanwhile, and a run that was interrupted is completed by the next one. Records, history and update log are left alone.
 *
 * Three passes: wrong counts, because changes of posting lists build on them; each record, which adds what is missing and removes what
 * its stored keys show to be stale; and entries that only a comparison of the whole index with all records finds.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { OnProgress } from '../../concurrency/progress-port.ts';
import type { DomainId } from '../domain-store.ts';

/** Entries of the index, as two columns of the same length. */
export interface IndexEntries {
  readonly keys: BigInt64Array;
  readonly ids: Uint32Array;
}

/** What begins with `list` reads, all others write one batch in one transaction. */
export interface ReindexCalls {
  listMiscounted(): Promise<BigInt64Array>;
  recount(keys: BigInt64Array): Promise<void>;
  reindexRecords(firstId: DomainId, lastId: DomainId): Promise<readonly DomainId[]>;
  listStaleEntries(limit: number, onProgress: OnProgress): Promise<IndexEntries>;
  removeStaleEntries(entries: IndexEntries): Promise<readonly DomainId[]>;
}

/** Records or index entries per transaction. */
const batchSize = 200;
/** Other processes poll for the write lock every few milliseconds; without a pause they could wait for it in vain. */
const pauseMs = 20;
/** Each round reads the whole index; some ten megabytes. */
const staleEntriesMax = 1_000_000;

export async function reindex(
  calls: ReindexCalls,
  lastId: DomainId,
  onProgress: OnProgress,
): Promise<{ records: number; changed: number }> {
  const changed = new Uint8Array(lastId + 1);
  const miscounted = await calls.listMiscounted();
  for (let at = 0; at < miscounted.length; at += batchSize) {
    await calls.recount(miscounted.slice(at, at + batchSize));
    await pause(pauseMs);
  }
  for (let first = 1; first <= lastId; first += batchSize) {
    const last = Math.min(first + batchSize - 1, lastId);
    const ids = await calls.reindexRecords(first, last);
    for (const id of ids) changed[id] = 1;
    onProgress(last, lastId);
    if (ids.length > 0) await pause(pauseMs);
  }
  let isComplete = false;
  while (!isComplete) {
    const { keys, ids } = await calls.listStaleEntries(staleEntriesMax, onProgress);
    for (let at = 0; at < ids.length; at += batchSize) {
      const batch = { keys: keys.slice(at, at + batchSize), ids: ids.slice(at, at + batchSize) };
      for (const id of await calls.removeStaleEntries(batch)) changed[id] = 1;
      await pause(pauseMs);
    }
    isComplete = ids.length < staleEntriesMax;
  }
  return { records: lastId, changed: changed.reduce((sum, one) => sum + one, 0) };
}
