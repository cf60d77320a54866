/** Writes the tables of posting lists, within the caller's transaction: fastest in the order of keys, in which each page is touched once. */

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
} from '../../../domain/id-chunk.ts';
import { encodeIds, type StoredIds } from '../../../domain/stored-ids.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { MergedPostings, type Posting } from './merged-postings.ts';
import { idOf, isAdded } from './posting-block.ts';

/** Longer posting lists are stored in chunks. */
export const listedIdsMax = 128;
/** Keys that are read by one statement. */
const batchKeys = 512;
/** Rows that are written by one statement. */
const manyRows = 32;

export class PostingWriter {
  readonly #merged: MergedPostings;
  readonly #lists: QueuedRows;
  /** Of a single id each, as most are. Bound as it is, a number would be stored as a float of eight bytes. */
  readonly #singles: QueuedRows;
  readonly #remove;
  readonly #putChunk;
  readonly #removeChunk;
  readonly #removeChunks;

  constructor(database: Database) {
    this.#merged = new MergedPostings(database);
    this.#lists = new QueuedRows(database, '(?, ?, ?)');
    this.#singles = new QueuedRows(database, '(?, 1, cast(? as integer))');
    this.#remove = database.prepare('delete from value where key = ?');
    this.#putChunk = database.prepare(
      'insert or replace into value_chunk (key, chunk, ids) values (?, ?, ?)',
    );
    this.#removeChunk = database.prepare('delete from value_chunk where key = ? and chunk = ?');
    this.#removeChunks = database.prepare('delete from value_chunk where key = ?');
  }

  /** Sets the stored count to the actual number of ids, at once. */
  recount(key: ValueKey): void {
    const posting = this.#merged.find(key);
    if (!posting) return;
    const domains = this.#merged.recountOf(key);
    if (domains === 0) this.#remove.run(key);
    else {
      this.#dropQueued();
      this.#queue(key, domains, posting.ids ? encodeIds(posting.ids) : null);
      this.#putQueued();
    }
  }

  /**
   * Changes of posting lists, each key once: ids times two, plus one where the domain is added; the last change of an id counts. Rows are
   * read and written by many in a statement.
   */
  changeAll(changes: Iterable<readonly [ValueKey, readonly number[]]>): void {
    let batch: (readonly [ValueKey, readonly number[]])[] = [];
    for (const [key, ofKey] of changes) {
      batch.push([key, ofKey]);
      if (batch.length < batchKeys) continue;
      this.#changeBatch(batch);
      batch = [];
    }
    if (batch.length > 0) this.#changeBatch(batch);
  }

  #changeBatch(batch: readonly (readonly [ValueKey, readonly number[]])[]): void {
    this.#dropQueued();
    const found = this.#merged.findAll(batch.map(([key]) => key));
    for (const [index, [key, changes]] of batch.entries()) {
      const posting = found[index];
      const first = changes[0] as number;
      if (!posting && changes.length === 1 && isAdded(first)) this.#singles.add(key, idOf(first));
      else this.#merge(key, posting ?? { domains: 0, ids: [] }, changes);
    }
    this.#putQueued();
  }

  #queue(key: ValueKey, domains: number, ids: StoredIds | null): void {
    if (domains === 1 && typeof ids === 'number') this.#singles.add(key, ids);
    else this.#lists.add(key, domains, ids);
  }

  #putQueued(): void {
    this.#lists.put();
    this.#singles.put();
  }

  /** What a failed transaction left. */
  #dropQueued(): void {
    this.#lists.drop();
    this.#singles.drop();
  }

  #merge(key: ValueKey, posting: Posting, changes: readonly number[]): void {
    const appended = posting.ids && appendedTo(posting.ids, changes);
    if (appended && appended.length <= listedIdsMax) {
      this.#queue(key, appended.length, encodeIds(appended));
      return;
    }
    if (!posting.ids && areSortedAdds(changes)) {
      this.#changeChunks(key, posting.domains, addedByChunk(changes));
      return;
    }
    const last = new Map<DomainId, boolean>();
    for (const change of changes) last.set(Math.floor(change / 2), change % 2 === 1);
    if (!posting.ids) {
      this.#changeChunks(key, posting.domains, byChunk(last));
      return;
    }
    const ids = new Set(posting.ids);
    for (const [id, has] of last) {
      if (has) ids.add(id);
      else ids.delete(id);
    }
    const sorted = [...ids].sort((left, right) => left - right);
    if (sorted.length === 0) this.#remove.run(key);
    else if (sorted.length <= listedIdsMax) this.#queue(key, sorted.length, encodeIds(sorted));
    else {
      // A damaged index may have chunks without a list; they would be counted.
      this.#removeChunks.run(key);
      this.#changeChunks(key, 0, addedByChunk(sorted.map((id) => id * 2 + 1)));
    }
  }

  #changeChunks(key: ValueKey, before: number, changes: ReadonlyMap<number, ChunkChange>): void {
    let domains = before;
    for (const [chunk, { added, removed }] of changes) {
      const previous = this.#merged.chunkOf(key, chunk);
      const current = difference(union(previous, added), removed);
      domains += cardinality(current) - cardinality(previous);
      if (current.length === 0) this.#removeChunk.run(key, chunk);
      else this.#putChunk.run(key, chunk, chunkBytes(current));
    }
    if (domains === 0) this.#remove.run(key);
    else this.#queue(key, domains, null);
  }
}

/** Rows to put, many by one statement: a statement costs more than a row. */
class QueuedRows {
  readonly #one;
  readonly #many;
  readonly #rowValues: number;
  #values: unknown[] = [];

  constructor(database: Database, row: string) {
    const put = 'insert or replace into value (key, domains, ids) values';
    this.#one = database.prepare(`${put} ${row}`);
    this.#many = database.prepare(`${put} ${Array(manyRows).fill(row).join()}`);
    this.#rowValues = row.split('?').length - 1;
  }

  add(...values: readonly unknown[]): void {
    this.#values.push(...values);
  }

  put(): void {
    const [values, size] = [this.#values, this.#rowValues];
    let at = 0;
    for (; at + manyRows * size <= values.length; at += manyRows * size)
      this.#many.run(...values.slice(at, at + manyRows * size));
    for (; at < values.length; at += size) this.#one.run(...values.slice(at, at + size));
    this.drop();
  }

  drop(): void {
    this.#values = [];
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

/** New records come in the order of their ids. */
function areSortedAdds(changes: readonly number[]): boolean {
  return changes.every(
    (change, index) => isAdded(change) && (index === 0 || change > (changes[index - 1] as number)),
  );
}

function addedByChunk(sorted: readonly number[]): Map<number, ChunkChange> {
  const chunks = new Map<number, ChunkChange>();
  for (let from = 0; from < sorted.length; ) {
    const chunk = chunkOf(idOf(sorted[from] as number));
    let to = from;
    while (to < sorted.length && chunkOf(idOf(sorted[to] as number)) === chunk) to += 1;
    const lows = Uint16Array.from({ length: to - from }, (_, index) =>
      lowOf(idOf(sorted[from + index] as number)),
    );
    chunks.set(chunk, { added: chunkOfLows(lows), removed: emptyChunk });
    from = to;
  }
  return chunks;
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
