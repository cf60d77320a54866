/**
 * Checks the index against the records in one snapshot and bounded memory: every value of every record must be in the index, and where the index has as many
 * entries as the records have values, it has no others.
 */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import type { OnProgress } from '../../../../concurrency/progress-port.ts';
import { recordParts } from '../../../../model/record/attributes.ts';
import { type ColumnReader, columns, numbersOf } from '../../../domain/columns.ts';
import { isSameKeys, keysOfRecord } from '../../../domain/record-keys.ts';
import type { ValueKeys } from '../../../domain/value-keys.ts';
import type { Transaction } from '../../postgres/database.ts';
import { readColumns } from '../column-rows.ts';
import { type LoadedPostings, loadPostings } from '../posting/loaded-postings.ts';
import { lastDomainId } from '../record-state.ts';
import { type ExpectedRecord, entriesOf, idRange, listExpected } from './expected-entries.ts';
import { scanLists } from './stored-lists.ts';

const faultsMax = 100;
const batchRecords = 200;

export function verifyCounts(
  sql: Transaction,
  keys: ValueKeys,
  onProgress: OnProgress,
): Promise<readonly string[]> {
  return new Verification(sql, keys).run(onProgress);
}

class Verification {
  readonly #sql: Transaction;
  readonly #keys: ValueKeys;
  readonly #faults: string[] = [];

  constructor(sql: Transaction, keys: ValueKeys) {
    this.#sql = sql;
    this.#keys = keys;
  }

  async run(onProgress: OnProgress): Promise<readonly string[]> {
    const lastId = await lastDomainId(this.#sql);
    let expected = 0;
    for (let first = 1; first <= lastId; first += batchRecords) {
      const last = Math.min(first + batchRecords - 1, lastId);
      expected += await this.#checkRecords(first, last);
      onProgress(last, lastId);
    }
    const found = await this.#countEntries();
    if (found !== expected)
      this.#fault(`the records have ${expected} values, and the index has ${found} entries`);
    onProgress(lastId, lastId);
    return this.#faults;
  }

  /** The number of entries that the index should have for the records. */
  async #checkRecords(firstId: number, lastId: number): Promise<number> {
    const records = await listExpected(this.#sql, this.#keys, idRange(firstId, lastId));
    const found = new Set(records.map(({ id }) => id));
    for (let id = firstId; id <= lastId; id += 1)
      if (!found.has(id)) this.#fault(`domain ${id} has no record`);
    const [postings, numbers] = await Promise.all([
      loadPostings(this.#sql, entriesOf(records.map(({ id, expected }) => [id, expected.keys()]))),
      readColumns(this.#sql, found),
    ]);
    await mapInSlices(records, (record) => this.#checkRecord(record, postings, numbers));
    return records.reduce((sum, { expected }) => sum + expected.size, 0);
  }

  #checkRecord(one: ExpectedRecord, postings: LoadedPostings, numbers: readonly ColumnReader[]): void {
    const { id, name, record, keys: stored, expected } = one;
    if (record.domain !== name) this.#fault(`${record.domain} is not found by its name`);
    const computed = keysOfRecord(this.#keys, record);
    for (const part of recordParts)
      if (!isSameKeys(stored[part], computed[part]))
        this.#fault(`the stored keys of ${part} of ${name} are wrong`);
    for (const [key, attribute] of expected)
      if (!postings.has(key, id)) this.#fault(`${attribute} of ${name} is not in the index`);
    for (const [column, number] of numbersOf(record).entries())
      if (!Object.is(numbers[column]?.numberOf(id), number))
        this.#fault(`column ${columns[column]} of ${name} is not ${number}`);
  }

  /** The entries of all values; the stored count of each value must agree. */
  async #countEntries(): Promise<number> {
    let all = 0;
    for await (const lists of scanLists(this.#sql)) {
      for (const { key, domains, entries } of lists) {
        if (entries !== domains)
          this.#fault(`value ${key} has a count of ${domains}, but ${entries} entries`);
        all += entries;
      }
    }
    return all;
  }

  #fault(fault: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }
}
