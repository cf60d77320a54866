/**
 * The change log of verdicts: domains whose verdict changed. A transaction that appends has a lock until commit, so that no change appears after one
 * with a greater id, which a consumer may have read already.
 */
import { type LogPosition, logStart } from '../../paging/log-position.ts';
import type { VerdictChange } from '../../risk-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';

const pruneBatchSize = 20_000;

/** Call it directly before the statement that appends. */
export async function lockVerdictLog(sql: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock('verdict_change'::regclass::oid::bigint)`;
}

export async function listVerdictChanges(
  database: PostgresDatabase,
  after: LogPosition,
  limit: number,
): Promise<readonly VerdictChange[]> {
  const rows = await database.read(
    (sql) => sql<{ id: number; domain: string }[]>`
      select id, domain from verdict_change where id > ${idOf(after)} order by id limit ${limit}`,
  );
  return rows.map(({ id, domain }) => ({ position: String(id), domain }));
}

export async function pruneVerdictChanges(database: PostgresDatabase, upto: LogPosition): Promise<void> {
  for (;;) {
    const { count } = await database.read(
      (sql) => sql`
        delete from verdict_change where id in (
          select id from verdict_change where id <= ${idOf(upto)} order by id limit ${pruneBatchSize})`,
    );
    if (count < pruneBatchSize) return;
  }
}

function idOf(position: LogPosition): number {
  return position === logStart ? 0 : Number(position);
}
