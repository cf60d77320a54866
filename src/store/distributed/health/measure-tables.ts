/** How much each part of the schema occupies, with its indexes. */
import { readFile } from 'node:fs/promises';
import type { StoreSize } from '../../health-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { migrationsOf, schemaParts } from '../postgres/migrations.ts';

interface TableRow {
  readonly name: string;
  readonly bytes: number;
}

/** The largest first. A partition counts for the table that it belongs to. */
export async function measureTables(database: PostgresDatabase): Promise<readonly StoreSize[]> {
  const rows = await database.read(
    (sql) => sql<TableRow[]>`
      select root.relname as name, sum(pg_total_relation_size(stored.oid))::bigint as bytes
      from pg_class stored join pg_class root on root.oid = coalesce(pg_partition_root(stored.oid), stored.oid)
      where stored.relkind = 'r' and stored.relnamespace = ${database.schema}::regnamespace
      group by root.relname`,
  );
  const partOf = await partsByTable();
  const parts = new Map<string, number>();
  for (const { name, bytes } of rows) {
    const part = partOf.get(name) ?? 'core';
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return [...parts]
    .map(([name, bytes]) => ({ name, bytes, isPartial: false }))
    .sort((one, other) => other.bytes - one.bytes);
}

/** By what the migrations create. */
async function partsByTable(): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>();
  for (const { part, path } of migrationsOf(schemaParts)) {
    const made = (await readFile(path, 'utf8')).matchAll(/^create (?:unlogged )?table (\w+)/gim);
    for (const [, table = ''] of made) parts.set(table, part);
  }
  return parts;
}
