/**
 * The inverted index as readers see it: the tables of posting lists with all pending changes. Every method is exact for the snapshot of the
 * transaction that it is called in.
 */

import {
  cardinality,
  chunkIds,
  chunkOf,
  chunkOfLows,
  contains,
  type IdChunk,
  lowOf,
  lowsOf,
} from '../../domain/id-chunk.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { MergedPostings, type Posting } from './posting/merged-postings.ts';
import { type PendingChanges, PendingPostings } from './posting/pending-postings.ts';
import { listedIdsMax } from './posting/posting-writer.ts';
import type { RowCache } from './search/row-cache.ts';

export class Postings {
  readonly #merged: MergedPostings;
  readonly #pending: PendingPostings;
  readonly #cache: RowCache | undefined;

  constructor(database: Database, cache?: RowCache) {
    this.#merged = new MergedPostings(database);
    this.#pending = new PendingPostings(database);
    this.#cache = cache;
  }

  /** Whether changes wait to be merged into the tables. */
  hasPending(): boolean {
    return !this.#pending.current().isEmpty;
  }

  countOf(key: ValueKey): number {
    return withNet(this.#merged.countOf(key), key, this.#current());
  }

  /** Fastest for keys in ascending order, which is the order of the table. */
  countsOf(keys: readonly ValueKey[]): readonly number[] {
    const counts = this.#merged.countsOf(keys);
    const pending = this.#current();
    if (pending.isEmpty) return counts;
    return counts.map((count, index) => withNet(count, keys[index] as ValueKey, pending));
  }

  find(key: ValueKey): Posting | undefined {
    const posting = this.#merged.find(key);
    const pending = this.#current();
    if (pending.isEmpty || pending.slicesOf(key).length === 0) return posting;
    const domains = withNet(posting?.domains ?? 0, key, pending);
    if (domains === 0) return undefined;
    const isShort = domains <= listedIdsMax && (!posting || posting.ids !== undefined);
    return { domains, ids: isShort ? pending.idsAfter(key, posting?.ids ?? []) : undefined };
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

  /** The actual number of ids, whatever the stored count is. */
  recountOf(key: ValueKey): number {
    const pending = this.#current();
    if (pending.isEmpty || pending.slicesOf(key).length === 0) return this.#merged.recountOf(key);
    let entries = 0;
    for (const chunk of this.#chunksOf(key)) entries += cardinality(this.#readChunk(key, chunk));
    return entries;
  }

  *scanIds(key: ValueKey): Generator<DomainId> {
    const posting = this.find(key);
    if (!posting) return;
    if (posting.ids) yield* posting.ids;
    else {
      for (const chunk of this.#chunksOf(key)) {
        for (const low of lowsOf(this.#readChunk(key, chunk))) yield chunk * chunkIds + low;
      }
    }
  }

  /** All keys with their counts. */
  *scanCounts(): Generator<readonly [ValueKey, number]> {
    const pending = this.#current();
    for (const [key, domains] of this.#merged.scanCounts()) yield [key, withNet(domains, key, pending)];
    for (const key of pending.keys()) {
      if (this.#merged.countOf(key) === 0) yield [key, withNet(0, key, pending)];
    }
  }

  /** Scans the whole table. */
  countValues(): number {
    const pending = this.#current();
    let values = this.#merged.countValues();
    for (const key of pending.keys()) {
      const before = this.#merged.countOf(key);
      values += Number(withNet(before, key, pending) > 0) - Number(before > 0);
    }
    return values;
  }

  #readChunk(key: ValueKey, chunk: number): IdChunk {
    const pending = this.#current();
    if (pending.isEmpty || pending.slicesOf(key).length === 0) return this.#merged.chunkOf(key, chunk);
    const ids = this.#merged.find(key)?.ids;
    const before = ids ? chunkOfIds(ids, chunk) : this.#merged.chunkOf(key, chunk);
    return pending.chunkAfter(key, chunk, before);
  }

  #chunksOf(key: ValueKey): readonly number[] {
    const stored = this.#merged.find(key)?.ids?.map(chunkOf) ?? this.#merged.listChunks(key);
    const chunks = new Set([...stored, ...this.#current().chunksOf(key)]);
    return [...chunks].sort((left, right) => left - right);
  }

  #current(): PendingChanges {
    return this.#cache ? this.#cache.get('pending', () => this.#pending.current()) : this.#pending.current();
  }
}

function withNet(count: number, key: ValueKey, pending: PendingChanges): number {
  return pending.isEmpty ? count : Math.max(count + pending.netOf(key), 0);
}

function chunkOfIds(ids: readonly DomainId[], chunk: number): IdChunk {
  return chunkOfLows(Uint16Array.from(ids.filter((id) => chunkOf(id) === chunk).map(lowOf)));
}
