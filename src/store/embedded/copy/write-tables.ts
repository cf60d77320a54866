/** Fills the tables of a new database. */
import type { CopiedRow, RowTarget } from '../../copy/copied-rows.ts';
import type { Database } from '../database.ts';
import { isCounted, names } from './read-tables.ts';

/** In one transaction. Returns the number of rows. */
export async function putRows(
  database: Database,
  { table, columns, only, finish }: RowTarget,
  pages: AsyncIterable<readonly CopiedRow[]>,
): Promise<number> {
  const own = columns.map(({ name }) => name);
  const insert = database.prepare(
    `insert into ${names([table])} (${names(own)}) values (${own.map(() => '?').join(', ')})`,
  );
  let rows = 0;
  database.exec('begin immediate');
  try {
    // Those that every new database has.
    database.exec(`delete from ${names([table])} where ${only ?? 'true'}`);
    for await (const page of pages) {
      for (const row of page) insert.run(...row);
      rows += page.length;
    }
    for (const statement of finish) database.exec(statement);
    database.exec('commit');
    return rows;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/** Greater numbers come next, where the table remembers the greatest that it had. */
export function setLastNumber(database: Database, table: string, number: number): void {
  if (!isCounted(database, table)) return;
  database.prepare('delete from sqlite_sequence where name = ?').run(table);
  database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, number);
}
