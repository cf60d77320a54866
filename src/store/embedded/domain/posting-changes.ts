/**
 * Buffers the changes of posting lists of one transaction and stores them at its end. Few go into the tables at once. Many would touch a page of the
 * tables each, in a large index, so they are appended to the pending changes as one sorted run; `posting/merge-postings.ts` merges those of
 * many transactions together.
 */

import { chunkOf, contains, type IdChunk, lowOf } from '../../domain/id-chunk.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { ChangeBuffer } from './posting/change-buffer.ts';
import { PendingPostings, PendingPostingsWriter } from './posting/pending-postings.ts';
import { idOf, isAdded, type SortedChanges } from './posting/posting-block.ts';
import { PostingWriter } from './posting/posting-writer.ts';
import { Postings } from './postings.ts';

/** Changes that go into the tables at once while nothing is pending: those of about a hundred new records. */
const fewChanges = 10_000;

export class PostingChanges {
  readonly #fewChanges: number;
  readonly #postings: Postings;
  readonly #pending: PendingPostings;
  readonly #pendingWriter: PendingPostingsWriter;
  readonly #writer: PostingWriter;
  readonly #changes = new ChangeBuffer();

  constructor(database: Database, few = fewChanges) {
    this.#fewChanges = few;
    this.#postings = new Postings(database);
    this.#pending = new PendingPostings(database);
    this.#pendingWriter = new PendingPostingsWriter(database);
    this.#writer = new PostingWriter(database);
  }

  add(key: ValueKey, id: DomainId): void {
    this.#changes.add(key, id);
  }

  remove(key: ValueKey, id: DomainId): void {
    this.#changes.remove(key, id);
  }

  reset(): void {
    this.#changes.clear();
  }

  /** Additions of domains whose ids are counted from here. */
  addAll(keys: BigInt64Array, ids: Uint32Array, firstId: DomainId): void {
    this.#changes.addAll(keys, ids, firstId);
  }

  /** The last change of an entry counts. Domains from `firstNewId` on are new in this transaction, and in no posting list before it. */
  flush(firstNewId = Number.POSITIVE_INFINITY): void {
    if (this.#changes.count <= this.#fewChanges && this.#pending.current().isEmpty) this.#flushToTables();
    else this.#appendEffective(firstNewId);
  }

  /** Sets the stored count in the tables to the actual number of ids, at once. */
  recount(key: ValueKey): void {
    this.#writer.recount(key);
  }

  #flushToTables(): void {
    this.#writer.changeAll(this.#changes.byKey());
    this.reset();
  }

  #appendEffective(firstNewId: DomainId): void {
    this.#pendingWriter.append(this.#changes.additions(firstNewId) ?? this.#effectiveChanges(firstNewId));
    this.reset();
  }

  #effectiveChanges(firstNewId: DomainId): SortedChanges {
    const keys = new BigInt64Array(this.#changes.count);
    const changes = new Uint32Array(this.#changes.count);
    let count = 0;
    for (const [key, ofKey] of this.#changes.byKey()) {
      for (const change of this.#effective(key, sortedById(ofKey), firstNewId)) {
        keys[count] = key;
        changes[count] = change;
        count += 1;
      }
    }
    return { keys: keys.subarray(0, count), changes: changes.subarray(0, count) };
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
