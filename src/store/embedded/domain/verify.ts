/**
 * Checks the index against the records in one read transaction and constant memory: every value of every record must be in the
 * index, and where the index has as many entries as the records have values, it has no others.
 */
import { recordParts } from '../../../model/record/attributes.ts';
import { DamagedData } from '../../damage.ts';
import { type ColumnReader, columns, numbersOf } from '../../domain/columns.ts';
import { chunkOf, contains, type IdChunk, lowOf } from '../../domain/id-chunk.ts';
import { isSameKeys } from '../../domain/record-keys.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { Columns } from './columns.ts';
import { ExpectedKeys } from './expected-keys.ts';
import { Postings } from './postings.ts';
import { RecordKeys } from './record-keys.ts';
import { RecordRows } from './record-rows.ts';
import { valueKeysOf } from './stored-salt.ts';

const faultsMax = 100;
const progressEvery = 1000;

export function verifyCounts(
  database: Database,
  onProgress: (done: number, all: number) => void,
): readonly string[] {
  return database.transaction(() => new Verification(database).run(onProgress))();
}

class Verification {
  readonly #rows: RecordRows;
  readonly #expected: ExpectedKeys;
  readonly #recordKeys: RecordKeys;
  readonly #postings: Postings;
  readonly #columns: readonly ColumnReader[];
  readonly #chunks = new Map<ValueKey, { readonly chunk: number; readonly ids: IdChunk }>();
  readonly #faults: string[] = [];

  constructor(database: Database) {
    this.#rows = new RecordRows(database);
    this.#expected = new ExpectedKeys(database);
    this.#recordKeys = new RecordKeys(database, valueKeysOf(database));
    this.#postings = new Postings(database);
    const numbers = new Columns(database);
    this.#columns = columns.map((column) => numbers.reader(column));
  }

  run(onProgress: (done: number, all: number) => void): readonly string[] {
    const lastId = this.#rows.lastId();
    let expected = 0;
    for (let id = 1; id <= lastId; id += 1) {
      expected += this.#checkRecord(id);
      if (id % progressEvery === 0) onProgress(id, lastId);
    }
    const found = this.#countEntries();
    if (found !== expected)
      this.#fault(`the records have ${expected} values, and the index has ${found} entries`);
    onProgress(lastId, lastId);
    return this.#faults;
  }

  /** The number of entries that the index should have for the record. */
  #checkRecord(id: DomainId): number {
    const record = this.#findRecord(id);
    if (record === 'damaged') return 0;
    if (!record) {
      this.#fault(`domain ${id} has no record`);
      return 0;
    }
    if (this.#rows.findId(record.domain) !== id) this.#fault(`${record.domain} is not found by its name`);
    const [stored, computed] = [this.#recordKeys.of(id, () => record), this.#recordKeys.compute(record)];
    for (const part of recordParts) {
      if (!isSameKeys(stored[part], computed[part]))
        this.#fault(`the stored keys of ${part} of ${record.domain} are wrong`);
    }
    const keys = this.#expected.of(id, record);
    for (const [key, attribute] of keys) {
      if (!this.#isIndexed(key, id)) this.#fault(`${attribute} of ${record.domain} is not in the index`);
    }
    for (const [index, number] of numbersOf(record).entries()) {
      if (!Object.is(this.#columns[index]?.numberOf(id), number)) {
        this.#fault(`column ${columns[index]} of ${record.domain} is not ${number}`);
      }
    }
    return keys.size;
  }

  #findRecord(id: DomainId) {
    try {
      return this.#rows.findRecord(id);
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      this.#fault(error.problem);
      return 'damaged';
    }
  }

  /** Ids are checked in order, so each chunk of a frequent value is read once. */
  #isIndexed(key: ValueKey, id: DomainId): boolean {
    const known = this.#chunks.get(key);
    if (known?.chunk === chunkOf(id)) return contains(known.ids, lowOf(id));
    const posting = this.#postings.find(key);
    if (posting?.ids) return posting.ids.includes(id);
    if (!posting) return false;
    const ids = this.#postings.chunkOf(key, chunkOf(id));
    this.#chunks.set(key, { chunk: chunkOf(id), ids });
    return contains(ids, lowOf(id));
  }

  /** The entries of all values; the stored count of each value must agree. */
  #countEntries(): number {
    let all = 0;
    for (const [key, domains] of this.#postings.scanCounts()) {
      const entries = this.#postings.recountOf(key);
      if (entries !== domains) this.#fault(`value ${key} has a count of ${domains}, but ${entries} entries`);
      all += entries;
    }
    return all;
  }

  #fault(fault: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }
}
