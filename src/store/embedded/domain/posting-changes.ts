/**
 * Buffers the changes of posting lists of one transaction and applies them at its end in key order, so that every page of the table
 * is touched once. The last change of an entry wins.
 */
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import {
  cardinality,
  chunkBytes,
  chunkOf,
  chunkOfLows,
  difference,
  emptyChunk,
  type IdChunk,
  lowOf,
  union,
} from './id-chunk.ts';
import { type Posting, Postings } from './postings.ts';
import { sortedIndexes } from './search/radix-sort.ts';
import { encodeIds } from './stored-ids.ts';
import type { ValueKey } from './value-keys.ts';

/** Longer posting lists are stored in chunks. */
export const listedIdsMax = 128;

const initialCapacity = 4096;

export class PostingChanges {
  readonly #postings: Postings;
  readonly #insert;
  readonly #put;
  readonly #remove;
  readonly #putChunk;
  readonly #removeChunk;
  readonly #removeChunks;
  /** In order of arrival: the key, and the id times two, plus one where the domain is added. */
  #keys = new BigInt64Array(initialCapacity);
  #changes = new Uint32Array(initialCapacity);
  #count = 0;

  constructor(database: Database) {
    this.#postings = new Postings(database);
    this.#insert = database.prepare('insert or ignore into value (key, domains, ids) values (?, 1, ?)');
    this.#put = database.prepare('insert or replace into value (key, domains, ids) values (?, ?, ?)');
    this.#remove = database.prepare('delete from value where key = ?');
    this.#putChunk = database.prepare(
      'insert or replace into value_chunk (key, chunk, ids) values (?, ?, ?)',
    );
    this.#removeChunk = database.prepare('delete from value_chunk where key = ? and chunk = ?');
    this.#removeChunks = database.prepare('delete from value_chunk where key = ?');
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

  flush(): void {
    const order = sortedIndexes(this.#keys, this.#count);
    const ofKey: number[] = [];
    for (let at = 0; at < this.#count; ) {
      const key = this.#keys[order[at] as number] as ValueKey;
      ofKey.length = 0;
      for (; at < this.#count && this.#keys[order[at] as number] === key; at += 1)
        ofKey.push(this.#changes[order[at] as number] as number);
      this.#change(key, ofKey);
    }
    this.reset();
  }

  /** Sets the stored count to the actual number of ids, at once. */
  recount(key: ValueKey): void {
    const posting = this.#postings.find(key);
    if (!posting) return;
    const domains = this.#postings.recountOf(key);
    if (domains === 0) this.#remove.run(key);
    else this.#put.run(key, domains, posting.ids ? encodeIds(posting.ids) : null);
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

  #change(key: ValueKey, changes: readonly number[]): void {
    const [first = 0] = changes;
    // Most values are new and have one domain, which may have them several times.
    const isSingleAdd = first % 2 === 1 && changes.every((change) => change === first);
    if (isSingleAdd && this.#insert.run(key, Math.floor(first / 2)).changes === 1) return;
    this.#merge(key, this.#postings.find(key) ?? { domains: 0, ids: [] }, changes);
  }

  #merge(key: ValueKey, posting: Posting, changes: readonly number[]): void {
    const appended = posting.ids && appendedTo(posting.ids, changes);
    if (appended && appended.length <= listedIdsMax) {
      this.#put.run(key, appended.length, encodeIds(appended));
      return;
    }
    const last = new Map<DomainId, boolean>();
    for (const change of changes) last.set(Math.floor(change / 2), change % 2 === 1);
    if (!posting.ids) {
      this.#changeChunks(key, posting.domains, last);
      return;
    }
    const ids = new Set(posting.ids);
    for (const [id, has] of last) {
      if (has) ids.add(id);
      else ids.delete(id);
    }
    const sorted = [...ids].sort((left, right) => left - right);
    if (sorted.length === 0) this.#remove.run(key);
    else if (sorted.length <= listedIdsMax) this.#put.run(key, sorted.length, encodeIds(sorted));
    else {
      // A damaged index may have chunks without a list; they would be counted.
      this.#removeChunks.run(key);
      this.#changeChunks(key, 0, new Map(sorted.map((id) => [id, true])));
    }
  }

  #changeChunks(key: ValueKey, before: number, changes: ReadonlyMap<DomainId, boolean>): void {
    let domains = before;
    for (const [chunk, { added, removed }] of byChunk(changes)) {
      const previous = this.#postings.chunkOf(key, chunk);
      const current = difference(union(previous, added), removed);
      domains += cardinality(current) - cardinality(previous);
      if (current.length === 0) this.#removeChunk.run(key, chunk);
      else this.#putChunk.run(key, chunk, chunkBytes(current));
    }
    if (domains === 0) this.#remove.run(key);
    else this.#put.run(key, domains, null);
  }
}

/** The fast path of imports: all changes add ids behind the last one; undefined for any other change. */
function appendedTo(ids: readonly DomainId[], changes: readonly number[]): readonly DomainId[] | undefined {
  const appended = [...ids];
  let last = ids.at(-1) ?? 0;
  for (const change of changes) {
    const id = Math.floor(change / 2);
    if (change % 2 === 0 || id < last) return undefined;
    if (id > last) appended.push(id);
    last = id;
  }
  return appended;
}

interface ChunkChange {
  added: IdChunk;
  removed: IdChunk;
}

function byChunk(changes: ReadonlyMap<DomainId, boolean>): Map<number, ChunkChange> {
  const lows = new Map<number, { added: number[]; removed: number[] }>();
  for (const [id, has] of changes) {
    const chunk = lows.get(chunkOf(id)) ?? { added: [], removed: [] };
    lows.set(chunkOf(id), chunk);
    (has ? chunk.added : chunk.removed).push(lowOf(id));
  }
  const sorted = (list: readonly number[]) =>
    list.length === 0 ? emptyChunk : chunkOfLows(Uint16Array.from(list).sort());
  return new Map(
    Array.from(lows, ([chunk, { added, removed }]) => [
      chunk,
      { added: sorted(added), removed: sorted(removed) },
    ]),
  );
}
