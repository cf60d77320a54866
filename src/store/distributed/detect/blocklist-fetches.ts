/** Which clients fetched a blocklist, and when last. */
import { fetchingClientsMax } from '../../detect/rows/fetching-clients.ts';
import type { BlocklistFetch } from '../../escalation-store.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';

export async function recordBlocklistFetch(
  sql: Transaction,
  accountId: string,
  { selection, format, address, agent, atMs, version }: BlocklistFetch,
): Promise<void> {
  await sql`
    insert into blocklist_fetch as known (account_id, selection, format, address, agent, fetched_ms, version)
    values (${accountId}, ${selection}, ${format}, ${address}, ${agent}, ${atMs}, ${version})
    on conflict (account_id, selection, format, address, agent) do update set
      fetched_ms = greatest(known.fetched_ms, excluded.fetched_ms), version = greatest(known.version, excluded.version)`;
  const ofList = sql`account_id = ${accountId} and selection = ${selection} and format = ${format}`;
  await sql`delete from blocklist_fetch where ${ofList} and (address, agent) in (
    select address, agent from blocklist_fetch where ${ofList}
    order by fetched_ms desc, address, agent offset ${fetchingClientsMax})`;
}

export async function listBlocklistFetches(
  sql: Statements,
  accountId: string,
): Promise<readonly BlocklistFetch[]> {
  const rows = await sql<BlocklistFetch[]>`
    select selection, format, address, agent, fetched_ms as "atMs", version from blocklist_fetch
    where account_id = ${accountId} order by fetched_ms desc, address, agent`;
  return [...rows];
}
