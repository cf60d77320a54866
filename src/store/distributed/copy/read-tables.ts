/** Reads tables as they are, each in one moment, through a cursor: however large it is, some rows are in memory. */
import { type CopiedRow, type CopiedValue, pageRows, type RowSelection } from '../../copy/copied-rows.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { pagesOf } from './pages-of.ts';
import { quoted, readExpression } from './table-columns.ts';

export function scanTable(database: PostgresDatabase, selection: RowSelection): AsyncGenerator<CopiedRow[]> {
  return pagesOf(async (push) => {
    let isBegun = false;
    await database.longSnapshot(async (sql) => {
      if (isBegun) throw new Error('the connection to PostgreSQL was lost; repeat the command');
      isBegun = true;
      await pushRows(sql, selection, push);
    });
  });
}

async function pushRows(
  sql: Transaction,
  { from, columns, only, key }: RowSelection,
  push: (page: CopiedRow[]) => Promise<void>,
): Promise<void> {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const order = key.map(
    (name) => `source.${quoted(name)}${types.get(name) === 'text' ? ' collate "C"' : ''}`,
  );
  const source = from.startsWith('(') ? from : quoted(from);
  await sql.unsafe(
    `declare copied no scroll cursor for select ${columns.map(readExpression).join(', ')} from ${source} as source
     where ${only ?? 'true'} order by ${order.join(', ')}`,
  );
  for (;;) {
    const rows = await sql.unsafe<Record<string, CopiedValue>[]>(`fetch ${pageRows} from copied`);
    if (rows.length === 0) return;
    await push(rows.map((row) => columns.map(({ name }) => row[name] as CopiedValue)));
  }
}

/** The last number that an identity column has given. */
export async function lastNumber(
  database: PostgresDatabase,
  { table, column, isIdentity }: NumberedColumn,
): Promise<number> {
  const [row] = await database.read((sql) =>
    isIdentity
      ? sql.unsafe<{ last: number | null }[]>(
          `select case when is_called then last_value else 0 end as last from ${sequenceOf(table, column)}`,
        )
      : sql.unsafe<{ last: number | null }[]>(`select max(${quoted(column)}) as last from ${quoted(table)}`),
  );
  return row?.last ?? 0;
}

interface NumberedColumn {
  readonly table: string;
  readonly column: string;
  readonly isIdentity: boolean;
}

/** As PostgreSQL names the sequence of an identity column. */
export function sequenceOf(table: string, column: string): string {
  return quoted(`${table}_${column}_seq`);
}
