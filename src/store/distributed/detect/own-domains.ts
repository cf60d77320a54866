/** The domains that accounts own. */
import { withParents } from '../../detect/rows/own-names.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';
import { raiseMonitorsVersion } from './monitors.ts';

interface AccountName {
  readonly accountId: string;
  readonly domain: string;
}

export async function listOwnDomains(sql: Statements, accountId: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from own_domain where account_id = ${accountId} order by name`;
  return rows.map(({ name }) => name);
}

export async function listAllOwnDomains(sql: Statements): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql<{ account_id: string; names: string[] }[]>`
    select account_id, array_agg(name order by name) as names from own_domain group by account_id`;
  return new Map(rows.map(({ account_id, names }) => [account_id, names]));
}

/** Those of the given names that are own domains of the account named with them, or below one. */
export async function findOwned<Named extends AccountName>(
  sql: Statements,
  named: readonly Named[],
): Promise<ReadonlySet<Named>> {
  const candidates = named.flatMap((one) => withParents(one.domain).map((name) => ({ one, name })));
  const rows = await sql<{ account_id: string; name: string }[]>`
    select account_id, name from own_domain where (account_id, name) in (
      select * from unnest(${candidates.map(({ one }) => one.accountId)}::text[],
        ${candidates.map(({ name }) => name)}::text[]))`;
  const own = new Set(rows.map(({ account_id, name }) => `${account_id} ${name}`));
  return new Set(
    candidates.filter(({ one, name }) => own.has(`${one.accountId} ${name}`)).map(({ one }) => one),
  );
}

/** Added domains must be taken off the lists afterwards. */
export async function changeOwnDomains(
  sql: Transaction,
  accountId: string,
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<void> {
  const removed = await sql`delete from own_domain
    where account_id = ${accountId} and name = any(${change.remove}::text[])`;
  const added = await sql`insert into own_domain (account_id, name)
    select ${accountId}, unnest(${change.add}::text[]) on conflict do nothing`;
  if (removed.count + added.count > 0) await raiseMonitorsVersion(sql);
}
