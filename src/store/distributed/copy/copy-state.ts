/** The copy that fills the tables: what of it is done, and whether any node may start. */
import { Problem } from '../../../model/problem.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';

export interface CopyState {
  readonly source: string;
  readonly isComplete: boolean;
  /** Names of what is copied. */
  readonly parts: ReadonlySet<string>;
}

export async function findCopy(database: PostgresDatabase): Promise<CopyState | undefined> {
  return database.read(async (sql) => {
    const [copy] = await sql<{ source: string; isComplete: boolean }[]>`
      select source, is_complete as "isComplete" from store_copy`;
    if (!copy) return undefined;
    const parts = await sql<{ name: string }[]>`select name from store_copy_part`;
    return { ...copy, parts: new Set(parts.map(({ name }) => name)) };
  });
}

export async function beginCopy(database: PostgresDatabase, source: string): Promise<void> {
  await database.writeRepeatable(
    (sql) => sql`insert into store_copy (source) values (${source}) on conflict do nothing`,
  );
}

export async function notePart(sql: Sql, part: string): Promise<void> {
  await sql`insert into store_copy_part (name) values (${part}) on conflict do nothing`;
}

export async function completeCopy(database: PostgresDatabase): Promise<void> {
  await database.writeRepeatable((sql) => sql`update store_copy set is_complete = true`);
}

/** For whatever opens the stores. */
export async function refuseUnfinishedCopy(database: PostgresDatabase): Promise<void> {
  const copy = await findCopy(database);
  if (!copy || copy.isComplete) return;
  throw new Problem(
    'unavailable',
    'a copy to these stores was not finished; repeat "nameglass store copy", or begin with empty tables (drop the schema, then "nameglass store migrate")',
  );
}
