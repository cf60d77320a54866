/**
 * The pending changes of posting lists: runs that transactions have appended, in the order of time. Every change is effective: it adds a domain
 * that the list did not have before it, or removes one that it had. So counts are sums. Blocks are read when a key needs them, and
 * some are kept.
 */

import type { IdChunk } from '../../../domain/id-chunk.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import {
  type BlockSlice,
  chunksIn,
  encodeBlock,
  idOf,
  isAdded,
  PostingBlock,
  type SortedChanges,
  withChanges,
} from './posting-block.ts';

/** Some microseconds to read: the event loop reads some of each run for each step of counts. */
const blockEntries = 2048;
/** Blocks that a connection keeps, 50 MB: about as many as wait to be merged. */
const keptBlocksMax = 2048;
const runBlocks = 65_536;

interface Run {
  readonly number: number;
  /** Of each block. */
  readonly firstKeys: readonly ValueKey[];
  readonly blocks: (PostingBlock | undefined)[];
}

/** Changes of these runs below the key are in the tables. */
interface Merged {
  readonly run: number;
  readonly below: ValueKey;
}

export class PendingPostings {
  readonly #version;
  readonly #merging;
  readonly #rows;
  readonly #block;
  readonly #kept: KeptBlocks;
  #known: PendingChanges | undefined;

  constructor(database: Database, keptMax = keptBlocksMax) {
    this.#kept = new KeptBlocks(keptMax);
    this.#version = database.prepare('select version from posting_state').pluck();
    this.#merging = database
      .prepare('select merging_run, merging_below from posting_state')
      .raw()
      .safeIntegers();
    this.#rows = database
      .prepare('select id, first_key from pending_posting order by id')
      .raw()
      .safeIntegers();
    this.#block = database.prepare('select changes from pending_posting where id = ?').pluck();
  }

  /** Valid within the current transaction. */
  current(): PendingChanges {
    const version = this.#version.get() as number;
    if (this.#known?.version !== version) this.#known = this.#read(version);
    return this.#known;
  }

  #read(version: number): PendingChanges {
    const [run, below] = this.#merging.get() as [bigint, ValueKey];
    const kept = new Map(this.#known?.runs.map((one) => [one.number, one]));
    const firstKeys = new Map<number, ValueKey[]>();
    for (const [id, key] of this.#rows.all() as [bigint, ValueKey][]) {
      const number = Math.floor(Number(id) / runBlocks);
      const keys = firstKeys.get(number);
      if (keys) keys.push(key);
      else firstKeys.set(number, [key]);
    }
    const runs = Array.from(
      firstKeys,
      ([number, keys]): Run => kept.get(number) ?? { number, firstKeys: keys, blocks: [] },
    );
    if (runs.length === 0) this.#kept.clear();
    return new PendingChanges({
      version,
      runs,
      merged: { run: Number(run), below },
      read: (id) => new PostingBlock(this.#block.get(id) as Buffer),
      kept: this.#kept,
    });
  }
}

/** Drops the block that was read first, once there are too many: keys are mostly looked up in their order. */
class KeptBlocks {
  readonly #max: number;
  #blocks: { readonly run: Run; readonly at: number }[] = [];
  #oldest = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(run: Run, at: number, block: PostingBlock): void {
    run.blocks[at] = block;
    if (this.#blocks.length < this.#max) {
      this.#blocks.push({ run, at });
      return;
    }
    const oldest = this.#blocks[this.#oldest];
    if (oldest) oldest.run.blocks[oldest.at] = undefined;
    this.#blocks[this.#oldest] = { run, at };
    this.#oldest = (this.#oldest + 1) % this.#max;
  }

  clear(): void {
    this.#blocks = [];
    this.#oldest = 0;
  }
}

interface State {
  readonly version: number;
  readonly runs: readonly Run[];
  readonly merged: Merged;
  readonly read: (id: number) => PostingBlock;
  readonly kept: KeptBlocks;
}

/** The pending changes of one transaction. */
export class PendingChanges {
  readonly version: number;
  readonly runs: readonly Run[];
  readonly #merged: Merged;
  readonly #read: (id: number) => PostingBlock;
  readonly #kept: KeptBlocks;
  /** Of the last key, which is often asked for again. */
  #key: ValueKey | undefined;
  #slices: readonly BlockSlice[] = [];

  constructor({ version, runs, merged, read, kept }: State) {
    this.version = version;
    this.runs = runs;
    this.#merged = merged;
    this.#read = read;
    this.#kept = kept;
  }

  get isEmpty(): boolean {
    return this.runs.length === 0;
  }

  /** How many domains the posting list has more than before the changes. */
  netOf(key: ValueKey): number {
    let net = 0;
    for (const { block, from, to } of this.slicesOf(key)) {
      for (let index = from; index < to; index += 1) net += isAdded(block.changes[index] as number) ? 1 : -1;
    }
    return net;
  }

  /** The posting list after the changes, sorted; for short ones. */
  idsAfter(key: ValueKey, before: readonly DomainId[]): readonly DomainId[] {
    const ids = new Set(before);
    for (const { block, from, to } of this.slicesOf(key)) {
      for (let index = from; index < to; index += 1) {
        const change = block.changes[index] as number;
        if (isAdded(change)) ids.add(idOf(change));
        else ids.delete(idOf(change));
      }
    }
    return [...ids].sort((left, right) => left - right);
  }

  /** A chunk of the posting list after the changes. */
  chunkAfter(key: ValueKey, chunk: number, before: IdChunk): IdChunk {
    return this.slicesOf(key).reduce((current, slice) => withChanges(current, chunk, slice), before);
  }

  /** The chunks with changes of the key. */
  chunksOf(key: ValueKey): ReadonlySet<number> {
    return new Set(this.slicesOf(key).flatMap((slice) => [...chunksIn(slice)]));
  }

  /** The changes of a key, later runs last. */
  slicesOf(key: ValueKey): readonly BlockSlice[] {
    if (key === this.#key) return this.#slices;
    const slices: BlockSlice[] = [];
    for (const run of this.runs) {
      if (run.number <= this.#merged.run && key < this.#merged.below) continue;
      this.#addSlices(run, key, slices);
    }
    this.#key = key;
    this.#slices = slices;
    return slices;
  }

  /** All keys with changes, in order. */
  *keys(): Generator<ValueKey> {
    const cursors = this.runs.map((run) => this.cursor(run));
    for (;;) {
      const key = lowestKey(cursors);
      if (key === undefined) return;
      yield key;
      for (const cursor of cursors) cursor.skip(key);
    }
  }

  /** Over the changes of a run that are not merged yet. */
  cursor(run: Run): RunCursor {
    const read = (block: number) => this.#blockOf(run, block);
    const cursor = new RunCursor(run.firstKeys.length, read);
    if (run.number > this.#merged.run) return cursor;
    const block = lastBelow(run.firstKeys, this.#merged.below);
    cursor.moveTo(block, read(block).lowerBound(this.#merged.below));
    return cursor;
  }

  #addSlices(run: Run, key: ValueKey, slices: BlockSlice[]): void {
    const { firstKeys } = run;
    // The changes of a frequent value may be in several blocks, and begin in the one before its first.
    const start = lastBelow(firstKeys, key);
    for (let at = start; at < firstKeys.length && (firstKeys[at] as ValueKey) <= key; at += 1) {
      const block = this.#blockOf(run, at);
      const [from, to] = block.rangeOf(key);
      if (from < to) slices.push({ block, from, to });
    }
  }

  #blockOf(run: Run, at: number): PostingBlock {
    const known = run.blocks[at];
    if (known) return known;
    const block = this.#read(run.number * runBlocks + at);
    this.#kept.add(run, at, block);
    return block;
  }
}

/** Goes through the changes of a run in order. */
export class RunCursor {
  readonly #blocks: number;
  readonly #read: (block: number) => PostingBlock;
  #at = 0;
  #block: PostingBlock | undefined;
  #index = 0;
  /** Undefined at the end. Kept, because reading a key from a block makes an object. */
  key: ValueKey | undefined;

  constructor(blocks: number, read: (block: number) => PostingBlock) {
    this.#blocks = blocks;
    this.#read = read;
    this.moveTo(0, 0);
  }

  moveTo(block: number, index: number): void {
    this.#at = block;
    this.#index = index;
    this.#block = block < this.#blocks ? this.#read(block) : undefined;
    if (this.#block && index >= this.#block.length) this.moveTo(block + 1, 0);
    else this.key = this.#block?.keyAt(index);
  }

  /** Moves behind the changes of a key, and gives them to `visit`. */
  skip(key: ValueKey, visit?: (change: number) => void): void {
    while (this.#block && this.key === key) {
      visit?.(this.#block.changes[this.#index] as number);
      this.#index += 1;
      if (this.#index === this.#block.length) this.moveTo(this.#at + 1, 0);
      else this.key = this.#block.keyAt(this.#index);
    }
  }
}

/** The last block that begins below the key, or else the first. */
function lastBelow(firstKeys: readonly ValueKey[], key: ValueKey): number {
  let [from, to] = [0, firstKeys.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((firstKeys[middle] as ValueKey) < key) from = middle + 1;
    else to = middle;
  }
  return Math.max(from - 1, 0);
}

export function lowestKey(cursors: readonly RunCursor[]): ValueKey | undefined {
  let lowest: ValueKey | undefined;
  for (const { key } of cursors)
    if (key !== undefined && (lowest === undefined || key < lowest)) lowest = key;
  return lowest;
}

/** Writes pending changes, within the caller's transaction. Nothing may be read from them before it has ended. */
export class PendingPostingsWriter {
  readonly #lastRun;
  readonly #put;
  readonly #appended;
  readonly #mergedPart;
  readonly #remove;
  readonly #mergedAll;

  constructor(database: Database) {
    const newVersion = 'version = abs(random() % 9007199254740991)';
    this.#lastRun = database.prepare('select last_run from posting_state').pluck();
    this.#put = database.prepare('insert into pending_posting (id, first_key, changes) values (?, ?, ?)');
    this.#appended = database.prepare(`update posting_state set ${newVersion}, last_run = ?`);
    this.#mergedPart = database.prepare(
      `update posting_state set ${newVersion}, merging_run = ?, merging_below = ?`,
    );
    this.#remove = database.prepare('delete from pending_posting where id < ?');
    this.#mergedAll = database.prepare(`update posting_state set ${newVersion}, merging_run = 0`);
  }

  /** They must be effective. */
  append({ keys, changes }: SortedChanges): void {
    if (keys.length === 0) return;
    const run = (this.#lastRun.get() as number) + 1;
    for (let from = 0; from < keys.length; from += blockEntries) {
      const part = {
        keys: keys.subarray(from, from + blockEntries),
        changes: changes.subarray(from, from + blockEntries),
      };
      this.#put.run(run * runBlocks + from / blockEntries, part.keys[0], encodeBlock(part));
    }
    this.#appended.run(run);
  }

  /** All changes of runs up to this one whose key is below are in the tables. */
  merged(run: number, below: ValueKey): void {
    this.#mergedPart.run(run, below);
  }

  mergedAll(run: number): void {
    this.#remove.run((run + 1) * runBlocks);
    this.#mergedAll.run();
  }
}
