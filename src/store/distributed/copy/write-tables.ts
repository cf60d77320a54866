/** Fills empty tables, each in one transaction together with the note that it is done. */
import type { CopiedRow, CopiedValue, PutRows, ReadColumn, RowTarget } from '../../copy/copied-rows.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { sequenceOf } from './read-tables.ts';
import { parameterType, quoted, writeExpression } from './table-columns.ts';

export interface TableWrite {
  readonly target: RowTarget;
  readonly scan: Parameters<PutRows>[1];
  /** Done in the same transaction. */
  readonly finish: (sql: Transaction) => Promise<void>;
}

/** Returns the number of rows. */
export function putRows(database: PostgresDatabase, { target, scan, finish }: TableWrite): Promise<number> {
  return database.writeRepeatable(async (sql) => {
    await sql.unsafe('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0');
    await removeRows(sql, target);
    let rows = 0;
    for await (const page of scan()) {
      await insertRows(sql, target, page);
      rows += page.length;
    }
    for (const statement of target.finish) await sql.unsafe(statement);
    await finish(sql);
    return rows;
  });
}

/** Those that empty tables have. The audit log would refuse even that. */
async function removeRows(sql: Transaction, { table, only = 'true' }: RowTarget): Promise<void> {
  const [found] = await sql.unsafe<object[]>(`select from ${quoted(table)} where ${only} limit 1`);
  if (found) await sql.unsafe(`delete from ${quoted(table)} where ${only}`);
}

export async function insertRows(
  sql: Transaction,
  { table, columns }: Pick<RowTarget, 'table' | 'columns'>,
  rows: readonly CopiedRow[],
): Promise<void> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const parameters = columns.map((column, at) => `$${at + 1}::${parameterType(column)}[]`).join(', ');
  await sql.unsafe(
    `insert into ${quoted(table)} (${names}) overriding system value
     select ${columns.map(writeExpression).join(', ')} from unnest(${parameters}) as given (${names})`,
    columns.map((column, at) => rows.map((row) => parameterOf(column, row[at] as CopiedValue))),
  );
}

/** PostgreSQL has neither NUL nor half a surrogate pair in the texts within JSON. */
function parameterOf({ type }: ReadColumn, value: CopiedValue): CopiedValue {
  if (typeof value !== 'string' || (type !== 'json' && type !== 'texts')) return value;
  return JSON.stringify(JSON.parse(value), (_, each: unknown) =>
    typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\ufffd') : each,
  );
}

/** The next number of an identity column is greater. */
export async function setLastNumber(
  sql: Transaction,
  { table, column }: { readonly table: string; readonly column: string },
  number: number,
): Promise<void> {
  if (number > 0) await sql.unsafe(`select setval('${sequenceOf(table, column)}', ${number})`);
}

/** The same where the last number is in a column of a table with one row. */
export async function raiseNumber(
  sql: Transaction,
  { table, column }: { readonly table: string; readonly column: string },
  number: number,
): Promise<void> {
  const name = quoted(column);
  await sql.unsafe(`update ${quoted(table)} set ${name} = greatest(${name}, ${number})`);
}
