/** Accounts with selections that are not up to date. */
import { blockedSelection } from '../../../model/detect/blocklist/selection.ts';
import type { Sql } from '../postgres/database.ts';

/** Jumps from account to account in the index: one of them may have a million names to evaluate. */
export async function listUnrefreshed(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ account_id: string }[]>`
    with recursive pending (account_id) as (
      (select account_id from blocklist_pending order by account_id limit 1)
      union all
      select (select account_id from blocklist_pending where account_id > pending.account_id order by account_id limit 1)
        from pending where account_id is not null)
    select account_id from pending where account_id is not null
    union
    select account_id from blocklist_selection where filled is not null or draft is not null
    order by account_id`;
  return rows.map(({ account_id }) => account_id);
}

/** Also where an account has no selection yet. */
export async function isUnrefreshed(sql: Sql, accountId: string): Promise<boolean> {
  const [row] = await sql<[{ unrefreshed: boolean }]>`
    select exists (select 1 from blocklist_pending where account_id = ${accountId})
      or exists (select 1 from blocklist_selection
        where account_id = ${accountId} and (filled is not null or draft is not null))
      or not exists (select 1 from blocklist_selection where account_id = ${accountId} and name = ${blockedSelection})
      as unrefreshed`;
  return row.unrefreshed;
}
