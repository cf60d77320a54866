/**
 * Merges pending changes of posting lists into the tables, in the order of keys, so that every page is touched once for the changes of many
 * transactions. It goes in steps, a transaction each, so that other writes run in between; how far it has come is stored with each step.
 */

import type { ValueKey } from '../../../domain/value-keys.ts';
import type { Database } from '../../database.ts';
import { lowestKey, PendingPostings, PendingPostingsWriter, type RunCursor } from './pending-postings.ts';
import { PostingWriter } from './posting-writer.ts';

/** Posting lists that a step changes, in some hundred milliseconds. */
const stepKeys = 50_000;
/** A read searches each run. */
const runsMax = 16;
/** Of 2048 changes each: those of 50,000 new records, 50 MB, whose room in the file records use later. A merge touches most pages of a large index. */
const blocksMax = 2048;

export class MergePostings {
  readonly #pending: PendingPostings;
  readonly #pendingWriter: PendingPostingsWriter;
  readonly #writer: PostingWriter;
  readonly #merging;

  constructor(database: Database) {
    this.#pending = new PendingPostings(database);
    this.#pendingWriter = new PendingPostingsWriter(database);
    this.#writer = new PostingWriter(database);
    this.#merging = database.prepare('select merging_run from posting_state').pluck();
  }

  /** Whether so many changes are pending that reads would suffer: they must be merged before the next write. */
  isDue(): boolean {
    const { runs } = this.#pending.current();
    return (
      runs.length >= runsMax || runs.reduce((sum, { firstKeys }) => sum + firstKeys.length, 0) >= blocksMax
    );
  }

  isPending(): boolean {
    return !this.#pending.current().isEmpty;
  }

  /** One step within the caller's transaction. Whether there is more to merge. */
  step(keys = stepKeys): boolean {
    const pending = this.#pending.current();
    if (pending.isEmpty) return false;
    const last = (this.#merging.get() as number) || (pending.runs.at(-1)?.number ?? 0);
    const cursors = pending.runs.filter(({ number }) => number <= last).map((run) => pending.cursor(run));
    this.#writer.changeAll(changesOf(cursors, keys));
    const next = lowestKey(cursors);
    if (next === undefined) this.#pendingWriter.mergedAll(last);
    else this.#pendingWriter.merged(last, next);
    return next !== undefined || pending.runs.at(-1)?.number !== last;
  }
}

/** The changes of so many keys, in the order of keys, and of time. */
function* changesOf(
  cursors: readonly RunCursor[],
  keysMax: number,
): Generator<readonly [ValueKey, readonly number[]]> {
  for (let count = 0; count < keysMax; count += 1) {
    const key = lowestKey(cursors);
    if (key === undefined) return;
    const changes: number[] = [];
    for (const cursor of cursors) cursor.skip(key, (change) => changes.push(change));
    yield [key, changes];
  }
}
