/**
 * Recounts everything from the records, in one moment and without keeping it in memory: every value of every record must lead
 * back to it, and when there are no more entries than values, there are no others either.
 */
import { recordParts } from '../../../model/record/attributes.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { PastWhois } from './changes.ts';
import { type ColumnReader, Columns, columns, numbersOf } from './columns.ts';
import { chunkOf, holds, type IdChunk, lowOf } from './id-chunk.ts';
import { historicalValuesOf, indexedValuesOf } from './indexed-values.ts';
import { Postings } from './postings.ts';
import { RecordKeys } from './record-keys.ts';
import { RecordRows } from './record-rows.ts';
import { type ValueKey, ValueKeys } from './value-keys.ts';

const faultsMax = 100;
const progressEvery = 1000;

export function verifyCounts(
  database: Database,
  onProgress: (done: number, all: number) => void,
): readonly string[] {
  return database.transaction(() => new Verification(database).run(onProgress))();
}

class Verification {
  readonly #database: Database;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #recordKeys: RecordKeys;
  readonly #postings: Postings;
  readonly #columns: readonly ColumnReader[];
  readonly #past: PastWhois;
  readonly #chunks = new Map<ValueKey, { readonly chunk: number; readonly ids: IdChunk }>();
  readonly #faults: string[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#rows = new RecordRows(database);
    this.#keys = new ValueKeys(database);
    this.#recordKeys = new RecordKeys(database, this.#keys);
    this.#postings = new Postings(database);
    const numbers = new Columns(database);
    this.#columns = columns.map((column) => numbers.reader(column));
    this.#past = new PastWhois(database);
  }

  run(onProgress: (done: number, all: number) => void): readonly string[] {
    const lastId = this.#rows.lastId();
    let wanted = 0;
    for (let id = 1; id <= lastId; id += 1) {
      wanted += this.#checkRecord(id);
      if (id % progressEvery === 0) onProgress(id, lastId);
    }
    const kept = this.#countKept();
    if (kept !== wanted) this.#fault(`records have ${wanted} values, and ${kept} lead to a record`);
    onProgress(lastId, lastId);
    return this.#faults;
  }

  /** How many values lead to the record, if all is well. */
  #checkRecord(id: DomainId): number {
    const record = this.#rows.findRecord(id);
    if (!record) {
      this.#fault(`domain ${id} has no record`);
      return 0;
    }
    if (this.#rows.findId(record.domain) !== id) this.#fault(`${record.domain} is not found by its name`);
    const [stored, made] = [this.#recordKeys.of(id, () => record), this.#recordKeys.make(record)];
    for (const part of recordParts) {
      if (!isSame(stored[part], made[part])) this.#fault(`${part} of ${record.domain} would be miscounted`);
    }
    const keys = this.#keysOf(id, record);
    for (const [key, attribute] of keys) {
      if (!this.#leadsTo(key, id)) this.#fault(`${attribute} of ${record.domain} does not lead to it`);
    }
    for (const [index, number] of numbersOf(record).entries()) {
      if (!Object.is(this.#columns[index]?.numberOf(id), number)) {
        this.#fault(`${columns[index]} of ${record.domain} is not ${number}`);
      }
    }
    return keys.size;
  }

  #keysOf(id: DomainId, record: DomainRecord): Map<ValueKey, string> {
    const historical = [record.parsed_whois, ...this.#past.of(id)].flatMap(historicalValuesOf);
    return new Map(
      [...indexedValuesOf(record), ...historical].map(({ attribute, value }) => [
        this.#keys.keyOf(attribute, value),
        attribute,
      ]),
    );
  }

  /** Ids come in order, so the chunk of a frequent value is read once. */
  #leadsTo(key: ValueKey, id: DomainId): boolean {
    const known = this.#chunks.get(key);
    if (known?.chunk === chunkOf(id)) return holds(known.ids, lowOf(id));
    const posting = this.#postings.find(key);
    if (posting?.ids) return posting.ids.includes(id);
    if (!posting) return false;
    const ids = this.#postings.chunkOf(key, chunkOf(id));
    this.#chunks.set(key, { chunk: chunkOf(id), ids });
    return holds(ids, lowOf(id));
  }

  /** Entries of all values; each value must say how many it has. */
  #countKept(): number {
    let kept = 0;
    const values = this.#database.prepare('select key, domains from value').raw().safeIntegers();
    for (const row of values.iterate()) {
      const [key, domains] = row as [bigint, bigint];
      const entries = this.#postings.entriesOf(key);
      if (entries !== Number(domains)) this.#fault(`value ${key} counts ${domains} domains of ${entries}`);
      kept += entries;
    }
    return kept;
  }

  #fault(fault: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }
}

function isSame(left: BigInt64Array, right: BigInt64Array): boolean {
  return left.length === right.length && left.every((key, place) => key === right[place]);
}
