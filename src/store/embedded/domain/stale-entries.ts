/**
 * Finds index entries that no record accounts for. A first pass counts expected and actual entries by hash bucket of their key, in
 * constant memory; only keys of buckets with too many entries are then compared with the records, entry by entry.
 */
import type { OnProgress } from '../../../concurrency/progress-port.ts';
import { EntryBalance } from '../../domain/entry-balance.ts';
import type { IndexEntries } from '../../domain/reindex.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { ExpectedKeys } from './expected-keys.ts';
import { MergedPostings } from './posting/merged-postings.ts';
import { Postings } from './postings.ts';
import { RecordRows } from './record-rows.ts';

const progressEvery = 1000;

/** Values whose stored count is not the length of their posting list, in the tables alone. */
export function listMiscounted(database: Database): BigInt64Array {
  const postings = new MergedPostings(database);
  const wrong: ValueKey[] = [];
  database.transaction(() => {
    for (const [key, domains] of postings.scanCounts())
      if (postings.recountOf(key) !== domains) wrong.push(key);
  })();
  return BigInt64Array.from(wrong);
}

/** At most `limit`, all of one snapshot. Finds all of them only if the index lacks no entry. */
export function listStaleEntries(database: Database, limit: number, onProgress: OnProgress): IndexEntries {
  return database.transaction(() => new StaleEntries(database).list(limit, onProgress))();
}

class StaleEntries {
  readonly #rows: RecordRows;
  readonly #expected: ExpectedKeys;
  readonly #postings: Postings;
  readonly #balance = new EntryBalance();

  constructor(database: Database) {
    this.#rows = new RecordRows(database);
    this.#expected = new ExpectedKeys(database);
    this.#postings = new Postings(database);
  }

  list(limit: number, onProgress: OnProgress): IndexEntries {
    this.#countExpected(onProgress);
    for (const [key] of this.#postings.scanCounts()) this.#balance.count(key, this.#postings.recountOf(key));
    const keys: ValueKey[] = [];
    const ids: DomainId[] = [];
    if (this.#balance.hasSurplus()) {
      for (const [key, id] of this.#scanStale()) {
        if (ids.length === limit) break;
        keys.push(key);
        ids.push(id);
      }
    }
    return { keys: BigInt64Array.from(keys), ids: Uint32Array.from(ids) };
  }

  #countExpected(onProgress: OnProgress): void {
    const lastId = this.#rows.lastId();
    for (let id = 1; id <= lastId; id += 1) {
      for (const key of this.#expectedOf(id).keys()) this.#balance.count(key, -1);
      if (id % progressEvery === 0) onProgress(id, lastId);
    }
    onProgress(lastId, lastId);
  }

  *#scanStale(): Generator<readonly [ValueKey, DomainId]> {
    for (const [key] of this.#postings.scanCounts()) {
      if (!this.#balance.mayBeStale(key)) continue;
      for (const id of this.#postings.scanIds(key)) if (!this.#expectedOf(id).has(key)) yield [key, id];
    }
  }

  #expectedOf(id: DomainId): ReadonlyMap<ValueKey, unknown> {
    const record = this.#rows.findRecord(id);
    return record ? this.#expected.of(id, record) : new Map();
  }
}
