/** The column store of numbers: a row of `number_chunk` holds one column of 1024 domains. */
import type { Column } from '../../../model/record/condition.ts';
import { ColumnReader, numberRowId, readNumbers } from '../../domain/columns.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import type { RowCache } from './search/row-cache.ts';

const rowNumbers = 1024;

export class Columns {
  readonly #row;
  readonly #cache: RowCache | undefined;

  constructor(database: Database, cache?: RowCache) {
    this.#row = database.prepare('select numbers from number_chunk where id = ?').pluck();
    this.#cache = cache;
  }

  /** Valid within one read transaction. */
  reader(column: Column): ColumnReader {
    const read = (row: number) => readNumbers(this.#row.get(row) as Buffer | undefined, rowNumbers);
    const cache = this.#cache;
    return new ColumnReader(cache ? (row) => cache.get(row, () => read(row)) : read, column, rowNumbers);
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

  set(id: DomainId, before: readonly number[] | undefined, after: ArrayLike<number>): void {
    for (let column = 0; column < after.length; column += 1) {
      const number = after[column] as number;
      const previous = before?.[column] ?? Number.NaN;
      if (Object.is(previous, number)) continue;
      const row = numberRowId(column, id, rowNumbers);
      const numbers =
        this.#rows.get(row) ?? readNumbers(this.#row.get(row) as Buffer | undefined, rowNumbers);
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
