/** Which domains have a value: a few ids beside the count, many in chunks. */
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { readStoredIds, type StoredIds } from './few-ids.ts';
import type { HotRows } from './hot-rows.ts';
import { chunkIds, emptyChunk, type IdChunk, lowsOf, readChunk, sizeOf } from './id-chunk.ts';
import type { ValueKey } from './value-keys.ts';

export interface Posting {
  readonly domains: number;
  /** Undefined where they are in chunks. */
  readonly ids: readonly DomainId[] | undefined;
}

export class Postings {
  readonly #count;
  readonly #counts;
  readonly #value;
  readonly #chunk;
  readonly #chunks;

  readonly #hot: HotRows | undefined;

  constructor(database: Database, hot?: HotRows) {
    this.#hot = hot;
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

  /** Of many keys; soonest in the order of keys, as they lie in the table. */
  countsOf(keys: readonly ValueKey[]): readonly number[] {
    return this.#counts.all(`[${keys.join()}]`) as number[];
  }

  find(key: ValueKey): Posting | undefined {
    const row = this.#value.get(key) as [number, StoredIds | null] | undefined;
    return row && { domains: row[0], ids: row[1] === null ? undefined : readStoredIds(row[1]) };
  }

  chunkOf(key: ValueKey, chunk: number): IdChunk {
    if (!this.#hot) return this.#readChunk(key, chunk);
    return this.#hot.get(`${key} ${chunk}`, () => this.#readChunk(key, chunk));
  }

  #readChunk(key: ValueKey, chunk: number): IdChunk {
    const bytes = this.#chunk.get(key, chunk) as Buffer | undefined;
    return bytes ? readChunk(bytes) : emptyChunk;
  }

  /** Counted, not as it is said. */
  entriesOf(key: ValueKey): number {
    const ids = this.find(key)?.ids;
    if (ids) return ids.length;
    let entries = 0;
    for (const row of this.#chunks.iterate(key)) entries += sizeOf(readChunk((row as [number, Buffer])[1]));
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
