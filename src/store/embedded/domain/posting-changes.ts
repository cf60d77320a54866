/**
 * Changes of values that one transaction collects, and makes at its end in the order of the keys: every page of the table is
 * then touched once. What was changed twice ends as it was changed last.
 */
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { storedIds } from './few-ids.ts';
import {
  chunkBytes,
  chunkOf,
  chunkOfLows,
  either,
  emptyChunk,
  type IdChunk,
  lowOf,
  sizeOf,
  without,
} from './id-chunk.ts';
import { orderOfKeys } from './key-order.ts';
import { type Posting, Postings } from './postings.ts';
import type { ValueKey } from './value-keys.ts';

/** More ids than these are kept in chunks. */
export const fewIdsMax = 128;

const firstRoom = 4096;

export class PostingChanges {
  readonly #postings: Postings;
  readonly #insert;
  readonly #put;
  readonly #remove;
  readonly #putChunk;
  readonly #removeChunk;
  /** In the order they came: the key, twice the id, and one more if the domain has the value from now on. */
  #keys = new BigInt64Array(firstRoom);
  #changes = new Uint32Array(firstRoom);
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
  }

  add(key: ValueKey, id: DomainId): void {
    this.#note(key, id * 2 + 1);
  }

  remove(key: ValueKey, id: DomainId): void {
    this.#note(key, id * 2);
  }

  forget(): void {
    this.#count = 0;
  }

  make(): void {
    const order = orderOfKeys(this.#keys, this.#count);
    const ofKey: number[] = [];
    for (let at = 0; at < this.#count; ) {
      const key = this.#keys[order[at] as number] as ValueKey;
      ofKey.length = 0;
      for (; at < this.#count && this.#keys[order[at] as number] === key; at += 1)
        ofKey.push(this.#changes[order[at] as number] as number);
      this.#change(key, ofKey);
    }
    this.forget();
  }

  #note(key: ValueKey, change: number): void {
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
    // Most values are new, and have one domain, which may have them several times.
    const isOneMore = first % 2 === 1 && changes.every((change) => change === first);
    if (isOneMore && this.#insert.run(key, Math.floor(first / 2)).changes === 1) return;
    this.#merge(key, this.#postings.find(key) ?? { domains: 0, ids: [] }, changes);
  }

  #merge(key: ValueKey, posting: Posting, changes: readonly number[]): void {
    const appended = posting.ids && appendedTo(posting.ids, changes);
    if (appended && appended.length <= fewIdsMax) {
      this.#put.run(key, appended.length, storedIds(appended));
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
    else if (sorted.length <= fewIdsMax) this.#put.run(key, sorted.length, storedIds(sorted));
    else this.#changeChunks(key, 0, new Map(sorted.map((id) => [id, true])));
  }

  #changeChunks(key: ValueKey, before: number, changes: ReadonlyMap<DomainId, boolean>): void {
    let domains = before;
    for (const [chunk, { added, removed }] of byChunk(changes)) {
      const was = this.#postings.chunkOf(key, chunk);
      const is = without(either(was, added), removed);
      domains += sizeOf(is) - sizeOf(was);
      if (is.length === 0) this.#removeChunk.run(key, chunk);
      else this.#putChunk.run(key, chunk, chunkBytes(is));
    }
    if (domains === 0) this.#remove.run(key);
    else this.#put.run(key, domains, null);
  }
}

/** Ids with those of new domains behind them, as it is in an import; undefined for any other change. */
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
