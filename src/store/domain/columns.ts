/** The numbers of records that searches compare and sort by, as columns: a row has the numbers of some domains with neighbouring ids. */
import { dayMs } from '../../model/durations.ts';
import type { Column, Comparison } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { registrationSourceOf, rootFieldsOf } from '../../model/record/registration.ts';
import type { DomainId } from '../domain-store.ts';

/** The order is that of the stored rows. */
export const columns: readonly Column[] = [
  'first_seen',
  'create_date',
  'expiration_date',
  'data_updated',
  'popularity_rank',
  'risk_score',
  'website_response',
];

const columnRows = 2 ** 32;
const noNumbers = new Float64Array(0);

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

/** Of the row of a column, counted in `columns`, that has the number of the domain. */
export function numberRowId(column: number, id: DomainId, rowNumbers: number): number {
  return column * columnRows + Math.floor(id / rowNumbers);
}

/** NaN is in no range. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** NaN for none. */
  readonly excluded: number;
}

const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const ranges: Readonly<Record<Comparison, (value: number) => NumberRange>> = {
  '=': (value) => ({ min: value, max: value, excluded: Number.NaN }),
  '<': (value) => ({ min: least, max: value, excluded: value }),
  '<=': (value) => ({ min: least, max: value, excluded: Number.NaN }),
  '>': (value) => ({ min: value, max: most, excluded: value }),
  '>=': (value) => ({ min: value, max: most, excluded: Number.NaN }),
};

export function rangeOf(comparison: Comparison, value: number): NumberRange {
  return ranges[comparison](value);
}

/** Reads one column. It keeps the last row, so ids are read fastest in order. */
export class ColumnReader {
  readonly #find: (row: number) => Float64Array;
  readonly #column: number;
  readonly #rowNumbers: number;
  #at = -1;
  #numbers: Float64Array = noNumbers;

  /** `find` reads a row by its id; a row has the numbers of so many domains. */
  constructor(find: (rowId: number) => Float64Array, column: Column, rowNumbers: number) {
    this.#find = find;
    this.#column = columns.indexOf(column);
    this.#rowNumbers = rowNumbers;
  }

  /** NaN where there is no number. */
  numberOf(id: DomainId): number {
    const rowNumbers = this.#rowNumbers;
    return this.#numbersFrom(Math.floor(id / rowNumbers))[id % rowNumbers] as number;
  }

  /** Those of sorted lower bits of ids whose number is in the range. */
  between(firstId: DomainId, lows: Uint16Array, { min, max, excluded }: NumberRange): Uint16Array {
    const rowNumbers = this.#rowNumbers;
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

/** The row of a stored column: eight bytes a number, NaN for none. */
export function readNumbers(bytes: Buffer | undefined, rowNumbers: number): Float64Array {
  if (!bytes) return new Float64Array(rowNumbers).fill(Number.NaN);
  const { buffer, byteOffset } =
    bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  return new Float64Array(buffer, byteOffset, rowNumbers);
}
