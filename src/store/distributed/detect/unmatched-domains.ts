/**
 * Deletes the rows of undecided domains without notes that no monitor has matched for a while. Not at once: pages of a list that was begun
 * earlier still show them.
 */
import { unmatchedKeptMs } from '../../detect/rows/domain-rows.ts';
import type { Fragment, PostgresDatabase, Transaction } from '../postgres/database.ts';
import { lockAccounts, type Statements } from './account-lock.ts';

/** Rows per transaction. */
const domainsMax = 1000;

export async function pruneUnmatchedDomains(database: PostgresDatabase, nowMs: number): Promise<void> {
  while (await schedulePurge(database, nowMs));
  while (await purge(database, nowMs));
}

/** True if there are more. */
function schedulePurge(database: PostgresDatabase, nowMs: number): Promise<boolean> {
  return pruneSome(
    database,
    (sql) => findUndecided(sql, sql`purge_ms is null`),
    (sql, numbers) =>
      sql`update watchlist_domain set purge_ms = ${nowMs + unmatchedKeptMs} where number = any(${numbers}::bigint[])`,
  );
}

/** True if there are more. */
function purge(database: PostgresDatabase, nowMs: number): Promise<boolean> {
  return pruneSome(
    database,
    (sql) => findUndecided(sql, sql`purge_ms <= ${nowMs}`),
    (sql, numbers) => sql`delete from watchlist_domain where number = any(${numbers}::bigint[])`,
  );
}

interface FoundRow {
  readonly number: number;
  readonly account_id: string;
}

/** What is found before the accounts are locked is found again afterwards: one may have been found by a monitor, or got a note. */
async function pruneSome(
  database: PostgresDatabase,
  find: (sql: Statements) => Promise<readonly FoundRow[]>,
  change: (sql: Transaction, numbers: number[]) => Promise<unknown>,
): Promise<boolean> {
  const candidates = await database.read(find);
  if (candidates.length === 0) return false;
  const accounts = new Set(candidates.map(({ account_id }) => account_id));
  await database.writeRepeatable(async (sql) => {
    await lockAccounts(sql, [...accounts]);
    const still = await find(sql);
    await change(
      sql,
      still.filter(({ account_id }) => accounts.has(account_id)).map(({ number }) => number),
    );
  });
  return candidates.length === domainsMax;
}

function findUndecided(sql: Statements, isDue: Fragment): Promise<readonly FoundRow[]> {
  return sql<FoundRow[]>`
    select number, account_id from watchlist_domain where not matched and state = 'new' and ${isDue}
      and not exists (select 1 from watchlist_note where domain = watchlist_domain.number)
    limit ${domainsMax}`;
}
