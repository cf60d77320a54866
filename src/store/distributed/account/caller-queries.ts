/** Reads users with their accounts, in one statement: one moment, one round trip. */
import type { Account, Caller } from '../../../model/account/account.ts';
import { type AccountRow, accountOf, type GrantRow } from '../../account/account-rows.ts';
import { type UserRow, userOf } from '../../account/user-rows.ts';
import type { Fragment, Sql } from '../postgres/database.ts';

export interface FoundAccountRow extends AccountRow {
  grants: GrantRow[] | null;
  own_channels: number[];
}

interface CallerRow extends UserRow {
  shared_pdns: string | null;
  account: FoundAccountRow;
}

export interface FoundCaller {
  readonly caller: Caller;
  readonly row: UserRow;
}

/** Accounts as `accountOfRow` reads them. */
export function selectAccounts(sql: Sql): Fragment {
  return sql`select account.id, account.name, account.active, account.withdrawn,
    (select json_agg(product_grant) from product_grant where account_id = account.id) as grants,
    (select coalesce(json_agg(channel order by channel), '[]') from channel_owner where account_id = account.id) as own_channels
    from account`;
}

export function accountOfRow(row: FoundAccountRow): Account {
  return accountOf(row, { grants: row.grants ?? [], channels: row.own_channels });
}

/** Of the users that `select` selects from `api_user`, in order of username. */
export async function readCallers(sql: Sql, select: Fragment): Promise<readonly FoundCaller[]> {
  const rows = await sql<CallerRow[]>`
    with found as (${select}),
      owner as (${selectAccounts(sql)} where account.id = any(array(select account_id from found)))
    select found.*, shared.pdns as shared_pdns, row_to_json(owner) as account
    from found join owner on owner.id = found.account_id
      left join api_user as shared on shared.id = found.pdns_shared_with
    order by found.username`;
  const accounts = new Map<string, Account>();
  return rows.map((row) => {
    const account = accounts.get(row.account_id) ?? accountOfRow(row.account);
    accounts.set(row.account_id, account);
    const shared =
      row.pdns_shared_with === null ? undefined : { id: row.pdns_shared_with, pdns: row.shared_pdns };
    return { caller: { user: userOf(row, shared), account }, row };
  });
}

export async function readAccount(sql: Sql, condition: Fragment): Promise<Account | undefined> {
  const [row] = await sql<FoundAccountRow[]>`${selectAccounts(sql)} where ${condition}`;
  return row && accountOfRow(row);
}
