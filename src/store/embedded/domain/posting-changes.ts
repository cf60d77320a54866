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
import { type Posting, Postings } from './postings.ts';
import type { ValueKey } from './value-keys.ts';

/** More ids than these are kept in chunks. */
export const fewIdsMax = 128;

export class PostingChanges {
  readonly #postings: Postings;
  readonly #insert;
  readonly #put;
  readonly #remove;
  readonly #putChunk;
  readonly #removeChunk;
  /** By key, in the order they came: twice the id, and one more if the domain has the value from now on. */
  #changes = new Map<ValueKey, number[]>();

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
    this.#changes = new Map();
  }

  make(): void {
    const keys = BigInt64Array.from(this.#changes.keys()).sort();
    for (const key of keys) this.#change(key, this.#changes.get(key) ?? []);
    this.forget();
  }

  #note(key: ValueKey, change: number): void {
    const changes = this.#changes.get(key);
    if (changes) changes.push(change);
    else this.#changes.set(key, [change]);
  }

  #change(key: ValueKey, changes: readonly number[]): void {
    const [first = 0] = changes;
    // Most values are new, and have one domain.
    const isOneMore = changes.length === 1 && first % 2 === 1;
    if (isOneMore && this.#insert.run(key, Math.floor(first / 2)).changes === 1) return;
    this.#merge(key, this.#postings.find(key) ?? { domains: 0, ids: [] }, changes);
  }

  #merge(key: ValueKey, posting: Posting, changes: readonly number[]): void {
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
