/** A column store of the numbers that searches compare and sort by: a row of `number_chunk` holds one column of 1024 domains. */
import { dayMs } from '../../../model/durations.ts';
import type { Column } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { registrationSourceOf, rootFieldsOf } from '../../../model/record/registration.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import type { RowCache } from './search/row-cache.ts';

/** The order is that of the rows on disk. */
export const columns: readonly Column[] = [
  'first_seen',
  'create_date',
  'expiration_date',
  'data_updated',
  'popularity_rank',
  'risk_score',
  'website_response',
];

const rowNumbers = 1024;
const columnRows = 2 ** 32;

/** In the order of `columns`; NaN for what is unknown. */
export function numbersOf(record: DomainRecord): readonly number[] {
  const { create_date, expiration_date } = rootFieldsOf(record, registrationSourceOf(record));
  return [
    Date.parse(record.first_seen ?? ''),
    Date.parse((create_date as string | undefined) ?? '') / dayMs,
    Date.parse((expiration_date as string | undefined) ?? '') / dayMs,
    Date.parse(record.data_updated_timestamp ?? ''),
    record.popularity_rank ?? Number.NaN,
    record.domain_risk?.risk_score ?? Number.NaN,
    record.website_response ?? Number.NaN,
  ];
}

const noNumbers = new Float64Array(0);

function rowId(column: number, id: DomainId): number {
  return column * columnRows + Math.floor(id / rowNumbers);
}

/** NaN is in no range. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** NaN for none. */
  readonly excluded: number;
}

export class Columns {
  readonly #row;
  readonly #cache: RowCache | undefined;

  constructor(database: Database, cache?: RowCache) {
    this.#row = database.prepare('select numbers from number_chunk where id = ?').pluck();
    this.#cache = cache;
  }

  /** Valid within one read transaction. */
  reader(column: Column): ColumnReader {
    const read = (row: number) => readNumbers(this.#row.get(row) as Buffer | undefined);
    const cache = this.#cache;
    return new ColumnReader(cache ? (row) => cache.get(row, () => read(row)) : read, columns.indexOf(column));
  }
}

/** Reads one column. It keeps the last row, so ids are read fastest in order. */
export class ColumnReader {
  readonly #find: (row: number) => Float64Array;
  readonly #column: number;
  #at = -1;
  #numbers: Float64Array = noNumbers;

  constructor(find: (row: number) => Float64Array, column: number) {
    this.#find = find;
    this.#column = column;
  }

  /** NaN where there is no number. */
  numberOf(id: DomainId): number {
    return this.#numbersFrom(Math.floor(id / rowNumbers))[id % rowNumbers] as number;
  }

  /** Those of sorted lower bits of ids whose number is in the range. */
  between(firstId: DomainId, lows: Uint16Array, { min, max, excluded }: NumberRange): Uint16Array {
    const found = new Uint16Array(lows.length);
    let count = 0;
    for (let at = 0; at < lows.length; ) {
      const row = Math.floor((firstId + (lows[at] as number)) / rowNumbers);
      const numbers = this.#numbersFrom(row);
      const start = row * rowNumbers - firstId;
      for (; at < lows.length; at += 1) {
        const low = lows[at] as number;
        if (low - start >= rowNumbers) break;
        const number = numbers[low - start] as number;
        if (number >= min && number <= max && number !== excluded) found[count++] = low;
      }
    }
    return found.slice(0, count);
  }

  #numbersFrom(row: number): Float64Array {
    if (row !== this.#at) {
      this.#numbers = this.#find(this.#column * columnRows + row);
      this.#at = row;
    }
    return this.#numbers;
  }
}

/** Buffers the numbers of one transaction and writes each row once. */
export class ColumnChanges {
  readonly #row;
  readonly #put;
  #rows = new Map<number, Float64Array>();

  constructor(database: Database) {
    this.#row = database.prepare('select numbers from number_chunk where id = ?').pluck();
    this.#put = database.prepare('insert or replace into number_chunk (id, numbers) values (?, ?)');
  }

  set(id: DomainId, before: readonly number[] | undefined, after: readonly number[]): void {
    for (const [column, number] of after.entries()) {
      const previous = before?.[column] ?? Number.NaN;
      if (Object.is(previous, number)) continue;
      const row = rowId(column, id);
      const numbers = this.#rows.get(row) ?? readNumbers(this.#row.get(row) as Buffer | undefined);
      this.#rows.set(row, numbers);
      numbers[id % rowNumbers] = number;
    }
  }

  reset(): void {
    this.#rows = new Map();
  }

  flush(): void {
    for (const [row, numbers] of this.#rows)
      this.#put.run(row, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    this.reset();
  }
}

function readNumbers(bytes: Buffer | undefined): Float64Array {
  if (!bytes) return new Float64Array(rowNumbers).fill(Number.NaN);
  const { buffer, byteOffset } =
    bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  return new Float64Array(buffer, byteOffset, rowNumbers);
}
