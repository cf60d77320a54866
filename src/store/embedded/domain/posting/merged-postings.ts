/**
 * The tables of the inverted index: for each value its posting list, the ids of the domains that have it, with an exact count. Short lists
 * are in the row of the value (`stored-ids.ts`), long ones in chunks of a Roaring bitmap (`id-chunk.ts`). Pending changes are not in them.
 */

import { cardinality, emptyChunk, type IdChunk, readChunk } from '../../../domain/id-chunk.ts';
import { decodeIds, type StoredIds } from '../../../domain/stored-ids.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';

export interface Posting {
  readonly domains: number;
  /** Undefined where the list is stored in chunks. */
  readonly ids: readonly DomainId[] | undefined;
}

type WantedRow = readonly [index: number, domains: number, ids: StoredIds | null];

export class MergedPostings {
  readonly #count;
  readonly #counts;
  readonly #value;
  readonly #values;
  readonly #any;
  readonly #chunk;
  readonly #chunks;
  readonly #chunkNumbers;
  readonly #scan;
  readonly #size;

  constructor(database: Database) {
    this.#count = database.prepare('select domains from value where key = ?').pluck();
    this.#counts = database
      .prepare(
        'select ifnull(value.domains, 0) from json_each(?) wanted left join value on value.key = wanted.value',
      )
      .pluck();
    this.#values = database
      .prepare(
        'select wanted.key, domains, ids from json_each(?) wanted cross join value on value.key = wanted.value',
      )
      .raw();
    this.#any = database.prepare('select exists (select 1 from value where key between ? and ?)').pluck();
    this.#value = database.prepare('select domains, ids from value where key = ?').raw();
    this.#chunk = database.prepare('select ids from value_chunk where key = ? and chunk = ?').pluck();
    this.#chunks = database.prepare('select chunk, ids from value_chunk where key = ? order by chunk').raw();
    this.#chunkNumbers = database
      .prepare('select chunk from value_chunk where key = ? order by chunk')
      .pluck();
    this.#size = database.prepare('select count(*) from value').pluck();
    this.#scan = database.prepare('select key, domains from value order by key').raw().safeIntegers();
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

  /** In the order of the keys, which must be ascending. */
  findAll(keys: readonly ValueKey[]): readonly (Posting | undefined)[] {
    const found = new Array<Posting | undefined>(keys.length);
    // A large import into an empty store finds nothing to read.
    if (this.#any.get(keys[0], keys.at(-1)) === 0) return found;
    for (const [index, domains, ids] of this.#values.all(`[${keys.join()}]`) as WantedRow[])
      found[index] = { domains, ids: ids === null ? undefined : decodeIds(ids) };
    return found;
  }

  chunkOf(key: ValueKey, chunk: number): IdChunk {
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

  listChunks(key: ValueKey): readonly number[] {
    return this.#chunkNumbers.all(key) as number[];
  }

  countValues(): number {
    return this.#size.get() as number;
  }

  /** All keys with their stored counts. */
  *scanCounts(): Generator<readonly [ValueKey, number]> {
    for (const row of this.#scan.iterate()) {
      const [key, domains] = row as [ValueKey, bigint];
      yield [key, Number(domains)];
    }
  }
}
