/** What a copy asks about the stores as a whole. */
import { hash } from 'node:crypto';
import type { PostgresDatabase } from '../postgres/database.ts';

/** Identifies a state of the stores: what ran for a moment leaves another one. */
export async function fingerprintOf(database: PostgresDatabase): Promise<string> {
  const rows = await database.read(
    (sql) => sql<object[]>`
      select encode(salt, 'hex') as salt, last_update_id as updates, (select number from audit_head) as audit,
        (select max(seen_ms) from job_clock) as jobs, (select sum(end_byte)::text from stream) as streams,
        (select max(number) from watchlist_event) as events, (select sum(used)::text from daily_use) as uses
      from record_state`,
  );
  return hash('sha256', JSON.stringify(rows));
}

/** A user with the sealed key, if there is any. */
export async function findSealedKey(
  database: PostgresDatabase,
): Promise<{ username: string; sealed: Buffer } | undefined> {
  const [row] = await database.read(
    (sql) => sql<{ username: string; sealed: Buffer }[]>`
      select username, key_sealed as sealed from api_user limit 1`,
  );
  return row;
}

/** Processes of nodes that run now. */
export async function listRunning(database: PostgresDatabase, sinceMs: number): Promise<readonly string[]> {
  const rows = await database.read(
    (sql) =>
      sql<{ process: string }[]>`select process from process_report where at_ms > ${sinceMs} order by 1`,
  );
  return rows.map(({ process }) => process);
}

/** Whether any of these tables has a row. */
export async function findFilled(
  database: PostgresDatabase,
  tables: readonly string[],
): Promise<string | undefined> {
  for (const table of tables) {
    const rows = await database.read((sql) => sql`select from ${sql(table)} limit 1`);
    if (rows.length > 0) return table;
  }
  return undefined;
}

/** Only one copy at a time: the lock is held while the work is done. */
export async function whileLocked<Result>(
  database: PostgresDatabase,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  let isBegun = false;
  return database.writeRepeatable(async (sql) => {
    if (isBegun) throw new Error('the connection to PostgreSQL was lost; repeat the command');
    isBegun = true;
    await sql.unsafe('set local idle_in_transaction_session_timeout = 0');
    const [lock] = await sql<{ isOurs: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`copy ${database.schema}`}, 0)) as "isOurs"`;
    return lock?.isOurs ? work() : undefined;
  });
}

/** The first parts of the names of archived files. */
export async function listArchives(database: PostgresDatabase): Promise<readonly string[]> {
  const rows = await database.read(
    (sql) => sql<{ archive: string }[]>`
      select distinct split_part(name, '/', 1) as archive from archive_file order by 1`,
  );
  return rows.map(({ archive }) => archive);
}
