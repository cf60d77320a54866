/** The column store of numbers: a row of `record_number_page` holds one column of 128 domains. */
import type { Column } from '../../../model/record/condition.ts';
import { ColumnReader, columns, numberRowId, readNumbers } from '../../domain/columns.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Sql, Transaction } from '../postgres/database.ts';
import { arrayText } from './array-texts.ts';

export const rowNumbers = 128;
/** Rows read by one statement, a kilobyte each. */
const batchRows = 4096;
const noRow = readNumbers(undefined, rowNumbers);

/** Reads the numbers of these domains, of one moment each. */
export async function readColumn(sql: Sql, column: Column, ids: Iterable<DomainId>): Promise<ColumnReader> {
  const rows = await readRows(sql, rowIdsOf(columns.indexOf(column), ids));
  return new ColumnReader((row) => rows.get(row) ?? noRow, column, rowNumbers);
}

export async function readColumns(sql: Sql, ids: Iterable<DomainId>): Promise<readonly ColumnReader[]> {
  const all = Array.from(ids);
  const wanted = columns.flatMap((_, column) => [...rowIdsOf(column, all)]);
  const rows = await readRows(sql, wanted);
  return columns.map((column) => new ColumnReader((row) => rows.get(row) ?? noRow, column, rowNumbers));
}

function rowIdsOf(column: number, ids: Iterable<DomainId>): Set<number> {
  const rows = new Set<number>();
  for (const id of ids) rows.add(numberRowId(column, id, rowNumbers));
  return rows;
}

async function readRows(sql: Sql, wanted: Iterable<number>): Promise<Map<number, Float64Array>> {
  const ids = Array.from(wanted);
  const found = new Map<number, Float64Array>();
  for (let at = 0; at < ids.length; at += batchRows) {
    const rows = await sql<{ id: number; numbers: Buffer }[]>`
      select id, numbers from record_number_page where id = any(${arrayText(ids.slice(at, at + batchRows))}::bigint[])`;
    for (const { id, numbers } of rows) found.set(id, readNumbers(numbers, rowNumbers));
  }
  return found;
}

export interface SortKey {
  readonly id: DomainId;
  readonly name: string;
  /** Eight bytes; null where the row does not exist. */
  readonly number: Buffer | null;
  /** Of the records, at the moment of reading. */
  readonly version: number;
}

/** What existing domains are sorted by. */
export async function readSortKeys(
  sql: Sql,
  column: Column,
  ids: Iterable<DomainId>,
): Promise<readonly SortKey[]> {
  const firstRow = numberRowId(columns.indexOf(column), 0, rowNumbers);
  return sql<SortKey[]>`
    select wanted.id, domain.name, substring(page.numbers from wanted.id % ${rowNumbers} * 8 + 1 for 8) as number, version
    from unnest((select ${arrayText(Array.from(ids))}::int[])) as wanted (id)
    cross join lateral (select name from record_domain where record_domain.id = wanted.id limit 1) as domain
    left join lateral (select numbers from record_number_page
      where record_number_page.id = ${firstRow}::bigint + wanted.id / ${rowNumbers} limit 1) as page on true
    cross join record_state`;
}

/** Collects the numbers of one transaction and writes each row once. */
export class ColumnChanges {
  readonly #changes = new Map<number, Map<number, number>>();

  set(id: DomainId, before: readonly number[] | undefined, after: readonly number[]): void {
    for (const [column, number] of after.entries()) {
      if (Object.is(before?.[column] ?? Number.NaN, number)) continue;
      const row = numberRowId(column, id, rowNumbers);
      const changes = this.#changes.get(row) ?? new Map<number, number>();
      this.#changes.set(row, changes);
      changes.set(id % rowNumbers, number);
    }
  }

  async flush(sql: Transaction): Promise<void> {
    if (this.#changes.size === 0) return;
    const rows = await readRows(sql, this.#changes.keys());
    const changed = Array.from(this.#changes, ([row, changes]): [number, Buffer] => {
      const numbers = rows.get(row) ?? readNumbers(undefined, rowNumbers);
      for (const [at, number] of changes) numbers[at] = number;
      return [row, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)];
    });
    const ids = changed.map(([row]) => row);
    const values = changed.map(([, numbers]) => numbers);
    await sql`insert into record_number_page (id, numbers)
      select * from unnest(${arrayText(ids)}::bigint[], ${values}::bytea[])
      on conflict (id) do update set numbers = excluded.numbers`;
    this.#changes.clear();
  }
}
