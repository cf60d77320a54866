/** What may link the domains on watchlists, and in which accounts campaigns are to be found anew. */
import type { ReadDomain, UnreadDomain } from '../../detect/campaign-store.ts';
import {
  domainLinksOf,
  type LinkedPage,
  type LinkedRow,
  linkedPage,
  storedLinks,
  type UnreadRow,
} from '../../detect/rows/campaign-rows.ts';
import { rowPosition } from '../../detect/rows/suggestion-rows.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';

/** The records of these domains have changed. In one order on all nodes, so that none of them waits for another that waits for it. */
export async function noteChangedLinks(sql: Transaction, domains: readonly string[]): Promise<void> {
  if (domains.length === 0) return;
  await sql`
    with locked as (select domain from domain_link where domain = any(${domains}::text[]) order by domain for update)
    update domain_link set version = version + 1 where domain in (select domain from locked)`;
}

export async function listUnread(
  sql: Statements,
  limit: number,
  readBeforeMs: number,
): Promise<readonly UnreadDomain[]> {
  const unread = await sql<UnreadRow[]>`
    select domain, version, links from domain_link where version > read_version limit ${limit}`;
  const stale = await sql<UnreadRow[]>`
    select domain, version, links from domain_link where read_ms < ${readBeforeMs} and version = read_version
    order by read_ms limit ${limit - unread.length}`;
  return [...unread, ...stale].map(({ domain, version, links }) => ({
    domain,
    version,
    links: domainLinksOf(links),
  }));
}

export async function saveLinks(sql: Transaction, read: readonly ReadDomain[], nowMs: number): Promise<void> {
  if (read.length === 0) return;
  const rows = read.map(({ domain, version, links }) => ({ domain, version, links: storedLinks(links) }));
  await sql`select 1 from domain_link where domain = any(${rows.map(({ domain }) => domain)}::text[]) order by domain for update`;
  await sql`
    update domain_link as saved set links = new.links, read_ms = ${nowMs}, read_version = new.version
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (domain text, version bigint, links text)
    where saved.domain = new.domain`;
  const changed = read.filter(({ isChanged }) => isChanged).map(({ domain }) => domain);
  if (changed.length === 0) return;
  await sql`
    insert into campaign_account (account_id, version)
    select distinct account_id, 1 from watchlist_domain where name = any(${changed}::text[]) and matched order by account_id
    on conflict (account_id) do update set version = campaign_account.version + 1`;
}

export async function noteAccount(sql: Transaction, accountId: string): Promise<void> {
  await sql`
    insert into campaign_account (account_id, version) values (${accountId}, 1)
    on conflict (account_id) do update set version = campaign_account.version + 1`;
}

export async function listChangedAccounts(
  sql: Statements,
  limit: number,
): Promise<readonly { readonly accountId: string; readonly version: number }[]> {
  return sql<{ accountId: string; version: number }[]>`
    select account_id as "accountId", version from campaign_account where version > found_version
    order by account_id limit ${limit}`;
}

export async function listLinked(
  sql: Statements,
  accountId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<LinkedPage> {
  const { discoveredMs, number } = rowPosition(after);
  const rows = await sql<LinkedRow[]>`
    select listed.number, listed.name as domain, listed.discovered_ms, links
    from unnest(array['new', 'watched']) as wanted (state), lateral (
      select number, name, discovered_ms from watchlist_domain
      where account_id = ${accountId} and watchlist_domain.state = wanted.state and listed and matched
        and (discovered_ms, number) < (${discoveredMs}, ${number})
      order by discovered_ms desc, number desc limit ${limit}) as listed
    join domain_link on domain_link.domain = listed.name
    order by listed.discovered_ms desc, listed.number desc limit ${limit}`;
  return linkedPage(rows, limit);
}
