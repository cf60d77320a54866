/** How values of PostgreSQL and those of the embedded store become each other. */
import type { ColumnType, ReadColumn } from '../../copy/copied-rows.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

export interface TableColumn {
  readonly name: string;
  /** `other` cannot be copied. */
  readonly type: ColumnType | 'other';
  /** Numbered by PostgreSQL. */
  readonly isIdentity: boolean;
}

const types: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  bytea: 'bytes',
  'double precision': 'double',
  integer: 'int',
  bigint: 'bigint',
  jsonb: 'json',
  text: 'text',
  ARRAY: 'texts',
};

/** Of all tables, by their names. */
export async function listColumns(
  database: PostgresDatabase,
): Promise<ReadonlyMap<string, readonly TableColumn[]>> {
  const rows = await database.read(
    (sql) => sql<{ table: string; name: string; type: string; isIdentity: boolean }[]>`
      select table_name as table, column_name as name, data_type as type, is_identity = 'YES' as "isIdentity"
      from information_schema.columns where table_schema = ${database.schema} order by table_name, ordinal_position`,
  );
  return Map.groupBy(
    rows.map(({ type, ...row }) => ({ ...row, type: types[type] ?? ('other' as const) })),
    ({ table }) => table,
  );
}

/** Expressions that give a value in the form of the embedded store. */
const readExpressions: Readonly<Record<ColumnType, (name: string) => string>> = {
  boolean: (name) => `${name}::int`,
  bytes: (name) => name,
  double: (name) => name,
  int: (name) => name,
  bigint: (name) => name,
  json: (name) => `${name}::text`,
  text: (name) => name,
  texts: (name) => `to_json(${name})::text`,
};

/** The type of parameters, and the expression that makes the value of them. */
const writeExpressions: Readonly<Record<ColumnType, readonly [type: string, of: (name: string) => string]>> =
  {
    boolean: ['int', (name) => `${name} <> 0`],
    bytes: ['bytea', (name) => name],
    double: ['float8', (name) => name],
    int: ['int', (name) => name],
    bigint: ['bigint', (name) => name],
    json: ['text', (name) => `${name}::jsonb`],
    text: ['text', (name) => name],
    texts: [
      'text',
      (name) =>
        `case when ${name} is not null then array(select jsonb_array_elements_text(${name}::jsonb)) end`,
    ],
  };

export function readExpression({ name, type = 'text' }: ReadColumn): string {
  return `${readExpressions[type](quoted(name))} as ${quoted(name)}`;
}

export function parameterType({ type = 'text' }: ReadColumn): string {
  return writeExpressions[type][0];
}

export function writeExpression({ name, type = 'text' }: ReadColumn): string {
  return writeExpressions[type][1](quoted(name));
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
