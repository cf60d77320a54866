/** The domains that an account has escalated as blocked, with the version of that list and the edition of its links. */
import type { Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';

export async function listBlockedNames(
  sql: Statements,
  accountId: string,
  after: string,
  limit: number,
): Promise<readonly { readonly domain: string; readonly sinceMs: number }[]> {
  const rows = await sql<{ domain: string; sinceMs: number }[]>`
    select name as domain, created_ms as "sinceMs" from escalation
    where account_id = ${accountId} and type = 'blocked' and name > ${after} order by name limit ${limit}`;
  return [...rows];
}

export async function blocklistNumbers(
  sql: Statements,
  accountId: string,
): Promise<{ readonly version: number; readonly edition: number }> {
  const [row] = await sql<{ version: number; edition: number }[]>`
    select version, edition from blocklist where account_id = ${accountId}`;
  return row ?? { version: 0, edition: 1 };
}

export async function raiseBlocklistVersion(sql: Transaction, accountId: string): Promise<void> {
  await sql`insert into blocklist (account_id, version) values (${accountId}, 1)
    on conflict (account_id) do update set version = blocklist.version + 1`;
}

export async function renewBlocklistEdition(sql: Transaction, accountId: string): Promise<number> {
  const [row] = await sql<{ edition: number }[]>`
    insert into blocklist (account_id, edition) values (${accountId}, 2)
    on conflict (account_id) do update set edition = blocklist.edition + 1 returning edition`;
  return row?.edition ?? 1;
}
