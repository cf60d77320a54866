/** Writes one table of a new segment from a batch of observations (flush). */
import { BatchReader } from '../observation-batch.ts';
import { type Entry, KeyArena } from './key-arena.ts';
import { addDistinctKeys, addForwardKey, addInverseKeys } from './keys.ts';
import { era, TableOutput, type TableTarget, type WrittenTable } from './table-output.ts';
import { type Bucket, startOf, unitOf } from './time-buckets.ts';

/** A thread writes one table at a time, so all of them share one arena. */
const arena = new KeyArena(1 << 16, 1 << 10);

const keysOf = { forward: addForwardKey, inverse: addInverseKeys, distinct: addDistinctKeys } as const;

export function writeTable(batchBytes: Uint8Array, target: TableTarget): WrittenTable {
  const { table } = target;
  const batch = new BatchReader(batchBytes);
  arena.clear();
  while (batch.next()) {
    const { first, last, count } = batch;
    arena.observe(first, last, count, table === 'distinct' ? era : unitOf(first, last));
    keysOf[table](batch, arena);
  }
  const order = arena.sorted();
  const output = new TableOutput(target, false);
  let shared = 0;
  for (let from = 0; from < order.length; ) {
    const entry = order[from] as Entry;
    const start = arena.startOf(entry);
    const length = arena.lengthOf(entry);
    let [to, sharedWithNext] = [from + 1, 0];
    for (; to < order.length; to += 1) {
      const next = order[to] as Entry;
      sharedWithNext = arena.sharedPrefix(entry, next);
      if (sharedWithNext < length || arena.lengthOf(next) > length) break;
    }
    if (to - from === 1) {
      const unit = arena.unitOf(entry);
      const [first, last, count] = [arena.firstOf(entry), arena.lastOf(entry), arena.countOf(entry)];
      output.addSighting(shared, arena.bytes, start, length, unit, first, last, count);
    } else {
      const buckets = [...order.subarray(from, to)].map((same) => bucketOf(arena, same));
      output.addBuckets(shared, arena.bytes, start, length, buckets, 0);
    }
    shared = sharedWithNext;
    from = to;
  }
  return output.finish();
}

function bucketOf(keys: KeyArena, entry: Entry): Bucket {
  const unit = keys.unitOf(entry);
  const firstSeconds = keys.firstOf(entry);
  const startSeconds = startOf(unit, firstSeconds);
  return { unit, startSeconds, firstSeconds, lastSeconds: keys.lastOf(entry), count: keys.countOf(entry) };
}
