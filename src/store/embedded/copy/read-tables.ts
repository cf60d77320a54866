/** Reads tables as they are. */
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { type CopiedRow, pageRows, type RowSelection } from '../../copy/copied-rows.ts';
import { type Snapshot, snapshotAll } from '../backup/barrier.ts';
import type { Database } from '../database.ts';
import { type CopiedDatabase, databaseNames, pathOf } from './copied-databases.ts';

/** One moment of all databases of a data directory. */
export class TableReader {
  readonly #snapshots: readonly Snapshot[];

  private constructor(snapshots: readonly Snapshot[]) {
    this.#snapshots = snapshots;
  }

  static async open(data: string): Promise<TableReader> {
    const paths = databaseNames.map((name) => pathOf(data, name));
    return new TableReader(await snapshotAll(paths, () => undefined));
  }

  listColumns(name: CopiedDatabase, table: string): readonly string[] {
    return columnsOf(this.of(name), table);
  }

  async *scan(name: CopiedDatabase, { from, columns, only, key }: RowSelection): AsyncGenerator<CopiedRow[]> {
    const rows = this.of(name)
      .prepare(
        `select ${names(columns.map((column) => column.name))} from ${from.startsWith('(') ? from : names([from])}
         where ${only ?? 'true'} order by ${names(key)}`,
      )
      .raw()
      .iterate() as IterableIterator<CopiedRow>;
    let page: CopiedRow[] = [];
    for (const row of rows) {
      page.push(row);
      if (page.length < pageRows) continue;
      yield page;
      page = [];
      await yieldToEventLoop();
    }
    if (page.length > 0) yield page;
  }

  /** The last number that a table has given, where numbers are never given twice; otherwise the greatest that it has. */
  lastNumber(name: CopiedDatabase, table: string, column: string): number {
    const database = this.of(name);
    const given = isCounted(database, table)
      ? database.prepare('select seq from sqlite_sequence where name = ?').pluck().get(table)
      : undefined;
    const greatest = database
      .prepare(`select max(${names([column])}) from ${names([table])}`)
      .pluck()
      .get();
    return Math.max(Number(given ?? 0), Number(greatest ?? 0));
  }

  of(name: CopiedDatabase): Database {
    return (this.#snapshots[databaseNames.indexOf(name)] as Snapshot).reader;
  }

  close(): void {
    for (const { reader } of this.#snapshots) reader.close();
  }
}

export function columnsOf(database: Database, table: string): readonly string[] {
  return database.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[];
}

/** Whether SQLite remembers its greatest number. */
export function isCounted(database: Database, table: string): boolean {
  const sql = database.prepare('select sql from sqlite_schema where name = ?').pluck().get(table);
  return /\bautoincrement\b/i.test(String(sql));
}

export function names(columns: readonly string[]): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ');
}
