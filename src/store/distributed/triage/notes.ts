/** Notes on domains, those of decisions included, who works on a domain, and when each person last read a list. */
import { newId } from '../../../model/account/api-key.ts';
import type { DomainFacts, WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { ListVisit, Note } from '../../triage-store.ts';
import { lockAccounts, type Statements } from '../detect/account-lock.ts';
import type { Sql, Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';

type NoteRow = Omit<Note, 'decisionId'> & { readonly decisionId: string | null };

export async function addNote(
  sql: Transaction,
  { accountId, domainId }: { readonly accountId: string; readonly domainId: WatchlistId },
  text: string,
  { username, atMs }: Actor,
): Promise<Note | undefined> {
  const id = newId();
  const { count } = await sql`
    insert into watchlist_note (id, domain, username, at_ms, text)
    select ${id}, number, ${username}, ${atMs}, ${text} from watchlist_domain
    where account_id = ${accountId} and id = ${domainId}`;
  return count === 0 ? undefined : { id, by: username, atMs, text, decisionId: undefined };
}

/** Newest first, those of decisions included. */
export async function listNotes(
  sql: Statements,
  accountId: string,
  domainId: WatchlistId,
  limit: number,
): Promise<readonly Note[]> {
  const ofDomain = sql`domain = (select number from watchlist_domain where account_id = ${accountId} and id = ${domainId})`;
  const rows = await sql<NoteRow[]>`
    select id, username as by, at_ms as "atMs", text, null as "decisionId" from watchlist_note where ${ofDomain}
    union all
    select decision.id, username, at_ms, note, decision.id from decided_domain
      join decision on decision.number = decided_domain.decision where ${ofDomain} and note is not null
    order by "atMs" desc, id limit ${limit}`;
  return rows.map((row) => ({ ...row, decisionId: row.decisionId ?? undefined }));
}

export async function assignDomain(
  sql: Transaction,
  accountId: string,
  domainId: WatchlistId,
  assignee: string | undefined,
): Promise<boolean> {
  const { count } = await sql`
    update watchlist_domain set assignee = ${assignee ?? null} where account_id = ${accountId} and id = ${domainId}`;
  return count > 0;
}

/** A time never moves back, so it may be recorded twice. */
export async function recordVisit(
  sql: Transaction,
  { accountId, username, list, monitorId = '', atMs }: ListVisit & { readonly atMs: number },
): Promise<void> {
  await sql`
    insert into list_visit as old (account_id, username, list, monitor, at_ms)
    values (${accountId}, ${username}, ${list}, ${monitorId}, ${atMs})
    on conflict (account_id, username, list, monitor) do update set at_ms = greatest(old.at_ms, excluded.at_ms)`;
}

export async function findVisitMs(
  sql: Sql,
  { accountId, username, list, monitorId = '' }: ListVisit,
): Promise<number | undefined> {
  const [row] = await sql<{ last: number | null }[]>`
    select max(at_ms) as last from list_visit
    where account_id = ${accountId} and username = ${username} and list = ${list} and monitor in ('', ${monitorId})`;
  return row?.last ?? undefined;
}

export async function listUnfilledNames(sql: Sql, limit: number): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct name from watchlist_domain where shared is null order by name limit ${limit}`;
  return rows.map(({ name }) => name);
}

/** Of all accounts. Rows that have the values already stay as they are. */
export async function fillSharedFacts(
  sql: Transaction,
  facts: readonly { readonly domain: string; readonly shared: DomainFacts['shared'] }[],
): Promise<void> {
  const names = facts.map(({ domain }) => domain);
  const accounts = await sql<{ account_id: string }[]>`
    select distinct account_id from watchlist_domain where name = any(${names}::text[]) and shared is null`;
  await lockAccounts(
    sql,
    accounts.map(({ account_id }) => account_id),
  );
  const rows = facts.map(({ domain, shared = {} }) => ({ domain, shared }));
  await sql`
    update watchlist_domain set shared = new.shared
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (domain text, shared jsonb)
    where watchlist_domain.name = new.domain and watchlist_domain.shared is null
      and account_id = any(${accounts.map(({ account_id }) => account_id)}::text[])`;
}
