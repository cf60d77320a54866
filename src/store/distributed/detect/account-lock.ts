/**
 * Changes of an account's rows. All of them lock the account first, so that they happen one after another on all nodes: what a change has read stays
 * as it is until the commit, and numbers rise in the order of commits.
 */
import type { PostgresDatabase, Sql, Transaction } from '../postgres/database.ts';
import { isDuplicate } from '../postgres/postgres-errors.ts';

/** Statements of their own, or those of a transaction. */
export type Statements = Sql;

/** Locks the account until the transaction ends. The work may be done again, from its beginning. */
export function changeAccount<Result>(
  database: PostgresDatabase,
  accountId: string,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  return withNewIds(() =>
    database.write(async (sql) => {
      await lockAccounts(sql, [accountId]);
      return work(sql);
    }),
  );
}

/** In one order on all nodes, so that none of them waits for another that waits for it. */
export async function lockAccounts(sql: Transaction, accountIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(accountIds)].sort();
  if (wanted.length === 0 || (await lockKnown(sql, wanted)) === wanted.length) return;
  await sql`insert into account_lock (account_id) select unnest(${wanted}::text[]) order by 1 on conflict do nothing`;
  await lockKnown(sql, wanted);
}

async function lockKnown(sql: Transaction, accountIds: readonly string[]): Promise<number> {
  const locked = await sql`
    select account_id from account_lock where account_id = any(${accountIds}) order by account_id for update`;
  return locked.count;
}

/** Ids are random: in the rare case that one is in use already, the whole change is made again with others. */
export async function withNewIds<Result>(change: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!idKeys.some((key) => isDuplicate(error, key))) throw error;
    }
  }
}

const idKeys = [
  'monitor_id_key',
  'watchlist_domain_id_key',
  'escalation_id_key',
  'subscription_id_key',
  'decision_id_key',
  'watchlist_note_id_key',
  'suggestion_answer_id_key',
  'campaign_id_key',
];
