/** Whether a program of this version can work with the tables. Later versions add tables and columns, which does no harm, before they remove any. */
import type { PostgresDatabase } from './database.ts';
import { doneMigrations, migrationsOf, schemaParts } from './migrations.ts';

/** What to do about it; undefined where all is well. */
export async function schemaFault(database: PostgresDatabase): Promise<string | undefined> {
  const done = await doneMigrations(database);
  const known = new Set(migrationsOf(schemaParts).map(({ part, number }) => `${part} ${number}`));
  const missing = [...known].filter((name) => !done.has(name)).length;
  if (missing > 0)
    return `PostgreSQL lacks ${missing} migrations of this version; run "nameglass store migrate" first`;
  const removal = [...done].find(([name, { isRemoval }]) => isRemoval && !known.has(name));
  if (!removal) return undefined;
  return `a later version has removed tables or columns that this version needs (migration ${removal[0]}); upgrade this node`;
}
