/**
 * The inverted index: for each value its posting list, the ids of the domains that have it, with an exact count. Short lists are in
 * the row of the value (`stored-ids.ts`), long ones in chunks of a Roaring bitmap (`id-chunk.ts`).
 */
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import {
  cardinality,
  chunkIds,
  chunkOf,
  contains,
  emptyChunk,
  type IdChunk,
  lowOf,
  lowsOf,
  readChunk,
} from './id-chunk.ts';
import type { RowCache } from './search/row-cache.ts';
import { decodeIds, type StoredIds } from './stored-ids.ts';
import type { ValueKey } from './value-keys.ts';

export interface Posting {
  readonly domains: number;
  /** Undefined where the list is stored in chunks. */
  readonly ids: readonly DomainId[] | undefined;
}

export class Postings {
  readonly #count;
  readonly #counts;
  readonly #value;
  readonly #chunk;
  readonly #chunks;

  readonly #cache: RowCache | undefined;

  constructor(database: Database, cache?: RowCache) {
    this.#cache = cache;
    this.#count = database.prepare('select domains from value where key = ?').pluck();
    this.#counts = database
      .prepare(
        'select ifnull(value.domains, 0) from json_each(?) wanted left join value on value.key = wanted.value',
      )
      .pluck();
    this.#value = database.prepare('select domains, ids from value where key = ?').raw();
    this.#chunk = database.prepare('select ids from value_chunk where key = ? and chunk = ?').pluck();
    this.#chunks = database.prepare('select chunk, ids from value_chunk where key = ? order by chunk').raw();
  }

  countOf(key: ValueKey): number {
    return (this.#count.get(key) as number | undefined) ?? 0;
  }

  /** Fastest for keys in ascending order, which is the order of the table. */
  countsOf(keys: readonly ValueKey[]): readonly number[] {
    return this.#counts.all(`[${keys.join()}]`) as number[];
  }

  find(key: ValueKey): Posting | undefined {
    const row = this.#value.get(key) as [number, StoredIds | null] | undefined;
    return row && { domains: row[0], ids: row[1] === null ? undefined : decodeIds(row[1]) };
  }

  has(key: ValueKey, id: DomainId): boolean {
    const posting = this.find(key);
    if (!posting) return false;
    return posting.ids?.includes(id) ?? contains(this.chunkOf(key, chunkOf(id)), lowOf(id));
  }

  chunkOf(key: ValueKey, chunk: number): IdChunk {
    if (!this.#cache) return this.#readChunk(key, chunk);
    return this.#cache.get(`${key} ${chunk}`, () => this.#readChunk(key, chunk));
  }

  #readChunk(key: ValueKey, chunk: number): IdChunk {
    const bytes = this.#chunk.get(key, chunk) as Buffer | undefined;
    return bytes ? readChunk(bytes) : emptyChunk;
  }

  /** The actual number of ids, whatever the stored count is. */
  recountOf(key: ValueKey): number {
    const ids = this.find(key)?.ids;
    if (ids) return ids.length;
    let entries = 0;
    for (const row of this.#chunks.iterate(key))
      entries += cardinality(readChunk((row as [number, Buffer])[1]));
    return entries;
  }

  *scanIds(key: ValueKey): Generator<DomainId> {
    const posting = this.find(key);
    if (!posting) return;
    if (posting.ids) yield* posting.ids;
    else {
      for (const row of this.#chunks.iterate(key)) {
        const [chunk, bytes] = row as [number, Buffer];
        for (const low of lowsOf(readChunk(bytes))) yield chunk * chunkIds + low;
      }
    }
  }
}
