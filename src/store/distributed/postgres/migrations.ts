/**
 * Makes and upgrades the tables. Each part of the schema has numbered files of its own, which only ever go forward. Several nodes may start at
 * once: one of them migrates, the others wait for it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath } from '../../../asset-path.ts';
import type { PostgresDatabase, Sql } from './database.ts';

const directory = assetPath('src/store/distributed/migrations');

/**
 * The first line of a migration that removes what an earlier one has made. Nodes of the version before must do without it, since they run on while tables are
 * migrated: so a version stops to use it, and a later one removes it.
 */
export const removalMark = /^-- Second step of [a-z]+ \d{4}: unused since \d+\.\d+\.\d+\.\n/;

/** In the order in which they are made. */
export const schemaParts = [
  'core',
  'leases',
  'accounts',
  'people',
  'usage',
  'jobs',
  'names',
  'risks',
  'watchlist',
  'blocklists',
  'desk',
  'health',
  'streams',
  'archives',
  'images',
  'domains',
  'segments',
  'rrset',
] as const;
export type SchemaPart = (typeof schemaParts)[number];

export interface Migration {
  readonly part: SchemaPart;
  readonly number: number;
  readonly path: string;
}

export function migrationsOf(parts: readonly SchemaPart[]): readonly Migration[] {
  return parts.flatMap((part) =>
    (existsSync(join(directory, part)) ? readdirSync(join(directory, part)) : [])
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => ({ part, number: Number.parseInt(file, 10), path: join(directory, part, file) })),
  );
}

/** Returns what was done. */
export async function migrate(
  database: PostgresDatabase,
  parts: readonly SchemaPart[] = schemaParts,
): Promise<readonly Migration[]> {
  return database.writeRepeatable(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`migrate ${database.schema}`}, 0))`;
    await sql`create schema if not exists ${sql(database.schema)}`;
    await sql`create table if not exists schema_migration (
      part text, number int, at timestamptz not null default now(), primary key (part, number))`;
    await sql`alter table schema_migration add column if not exists is_removal boolean not null default false`;
    const missing = await missingOf(sql, parts);
    for (const { part, number, path } of missing) {
      const text = readFileSync(path, 'utf8');
      await sql.unsafe(text);
      await sql`insert into schema_migration (part, number, is_removal)
        values (${part}, ${number}, ${removalMark.test(text)})`;
    }
    return missing;
  });
}

/** What `migrate` would do. */
export async function missingMigrations(database: PostgresDatabase): Promise<readonly Migration[]> {
  const done = await doneMigrations(database);
  return migrationsOf(schemaParts).filter(({ part, number }) => !done.has(`${part} ${number}`));
}

/** By name, as `jobs 1`; also those of later versions. */
export function doneMigrations(
  database: PostgresDatabase,
): Promise<ReadonlyMap<string, { readonly isRemoval: boolean }>> {
  return database.read(async (sql) => {
    const [made] = await sql<
      { exists: boolean }[]
    >`select to_regclass(${`${database.schema}.schema_migration`}) is not null as exists`;
    return made?.exists ? doneOf(sql) : new Map();
  });
}

async function doneOf(sql: Sql): Promise<ReadonlyMap<string, { readonly isRemoval: boolean }>> {
  // Tables that were made before it was noted have no such column.
  const rows = await sql<{ name: string; isRemoval: boolean }[]>`
    select part || ' ' || number as name, coalesce((to_jsonb(done) ->> 'is_removal')::boolean, false) as "isRemoval"
    from schema_migration done`;
  return new Map(rows.map(({ name, isRemoval }) => [name, { isRemoval }]));
}

async function missingOf(sql: Sql, parts: readonly SchemaPart[]): Promise<readonly Migration[]> {
  const done = await doneOf(sql);
  return migrationsOf(parts).filter(({ part, number }) => !done.has(`${part} ${number}`));
}
