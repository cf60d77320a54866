/**
 * Buffers the changes of posting lists of one transaction and stores them at its end. Few go into the tables at once. Many would touch a page of the
 * tables each, in a large index, so they are appended to the pending changes as one sorted run; `posting/merge-postings.ts` merges those of
 * many transactions together.
 */

import { chunkOf, contains, type IdChunk, lowOf } from '../../domain/id-chunk.ts';
import { sortedIndexes } from '../../domain/search/radix-sort.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { PendingPostings, PendingPostingsWriter } from './posting/pending-postings.ts';
import { idOf, isAdded, type SortedChanges } from './posting/posting-block.ts';
import { PostingWriter } from './posting/posting-writer.ts';
import { Postings } from './postings.ts';

/** Changes that go into the tables at once while nothing is pending: those of about a hundred new records. */
const fewChanges = 10_000;
const initialCapacity = 4096;

export class PostingChanges {
  readonly #fewChanges: number;
  readonly #postings: Postings;
  readonly #pending: PendingPostings;
  readonly #pendingWriter: PendingPostingsWriter;
  readonly #writer: PostingWriter;
  /** In order of arrival: the key, and the id times two, plus one where the domain is added. */
  #keys = new BigInt64Array(initialCapacity);
  #changes = new Uint32Array(initialCapacity);
  #count = 0;

  constructor(database: Database, few = fewChanges) {
    this.#fewChanges = few;
    this.#postings = new Postings(database);
    this.#pending = new PendingPostings(database);
    this.#pendingWriter = new PendingPostingsWriter(database);
    this.#writer = new PostingWriter(database);
  }

  add(key: ValueKey, id: DomainId): void {
    this.#push(key, id * 2 + 1);
  }

  remove(key: ValueKey, id: DomainId): void {
    this.#push(key, id * 2);
  }

  reset(): void {
    this.#count = 0;
  }

  /** The last change of an entry counts. Domains from `firstNewId` on are new in this transaction, and in no posting list before it. */
  flush(firstNewId = Number.POSITIVE_INFINITY): void {
    if (this.#count <= this.#fewChanges && this.#pending.current().isEmpty) this.#flushToTables();
    else this.#append(firstNewId);
  }

  /** Sets the stored count in the tables to the actual number of ids, at once. */
  recount(key: ValueKey): void {
    this.#writer.recount(key);
  }

  #flushToTables(): void {
    this.#writer.changeAll(this.#byKey());
    this.reset();
  }

  #append(firstNewId: DomainId): void {
    this.#pendingWriter.append(this.#additions(firstNewId) ?? this.#effectiveChanges(firstNewId));
    this.reset();
  }

  /**
   * The changes of an import, which add new domains in the order of their ids: sorted and without repeated ones, all of them are effective.
   * Undefined where there are others. Halves of keys are compared, because reading a key makes an object.
   */
  #additions(firstNewId: DomainId): SortedChanges | undefined {
    for (let at = 0; at < this.#count; at += 1) {
      const change = this.#changes[at] as number;
      if (!isAdded(change) || idOf(change) < firstNewId) return undefined;
    }
    const order = sortedIndexes(this.#keys, this.#count);
    const halves = new Int32Array(this.#keys.buffer);
    const changes = new Uint32Array(this.#count);
    const sorted = new Int32Array(this.#count * 2);
    let count = 0;
    for (const index of order) {
      const low = halves[index * 2] as number;
      const high = halves[index * 2 + 1] as number;
      const change = this.#changes[index] as number;
      if (count > 0 && low === sorted[count * 2 - 2] && high === sorted[count * 2 - 1]) {
        const previous = changes[count - 1] as number;
        if (change === previous) continue;
        if (change < previous) return undefined;
      }
      sorted[count * 2] = low;
      sorted[count * 2 + 1] = high;
      changes[count] = change;
      count += 1;
    }
    return { keys: new BigInt64Array(sorted.buffer, 0, count), changes: changes.subarray(0, count) };
  }

  #effectiveChanges(firstNewId: DomainId): SortedChanges {
    const keys = new BigInt64Array(this.#count);
    const changes = new Uint32Array(this.#count);
    let count = 0;
    for (const [key, ofKey] of this.#byKey()) {
      for (const change of this.#effective(key, sortedById(ofKey), firstNewId)) {
        keys[count] = key;
        changes[count] = change;
        count += 1;
      }
    }
    return { keys: keys.subarray(0, count), changes: changes.subarray(0, count) };
  }

  *#byKey(): Generator<readonly [ValueKey, readonly number[]]> {
    const order = sortedIndexes(this.#keys, this.#count);
    for (let at = 0; at < this.#count; ) {
      const key = this.#keys[order[at] as number] as ValueKey;
      const ofKey: number[] = [];
      for (; at < this.#count && this.#keys[order[at] as number] === key; at += 1)
        ofKey.push(this.#changes[order[at] as number] as number);
      yield [key, ofKey];
    }
  }

  /** Without those that change nothing. */
  #effective(key: ValueKey, changes: readonly number[], firstNewId: DomainId): readonly number[] {
    if (idOf(changes[0] as number) >= firstNewId)
      return changes.every(isAdded) ? changes : changes.filter(isAdded);
    const posting = this.#postings.find(key);
    const listed = new Set(posting?.ids);
    let chunk: { readonly number: number; readonly ids: IdChunk } | undefined;
    const has = (id: DomainId) => {
      if (!posting || posting.ids) return listed.has(id);
      if (chunk?.number !== chunkOf(id))
        chunk = { number: chunkOf(id), ids: this.#postings.chunkOf(key, chunkOf(id)) };
      return contains(chunk.ids, lowOf(id));
    };
    return changes.filter((change) => {
      const had = idOf(change) < firstNewId && has(idOf(change));
      return isAdded(change) !== had;
    });
  }

  #push(key: ValueKey, change: number): void {
    if (this.#count === this.#keys.length) {
      const [keys, changes] = [this.#keys, this.#changes];
      this.#keys = new BigInt64Array(this.#count * 2);
      this.#changes = new Uint32Array(this.#count * 2);
      this.#keys.set(keys);
      this.#changes.set(changes);
    }
    this.#keys[this.#count] = key;
    this.#changes[this.#count] = change;
    this.#count += 1;
  }
}

/** By id, and of each id the last change. New records arrive in the order of their ids. */
function sortedById(changes: readonly number[]): readonly number[] {
  let isSorted = true;
  for (let at = 1; at < changes.length && isSorted; at += 1)
    isSorted = idOf(changes[at] as number) > idOf(changes[at - 1] as number);
  if (isSorted) return changes;
  const last = new Map<DomainId, number>();
  for (const change of changes) last.set(idOf(change), change);
  return [...last.values()].sort((left, right) => left - right);
}
