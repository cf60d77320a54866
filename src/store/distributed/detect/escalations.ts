/** Escalations, and their submission to external services. */
import { newId } from '../../../model/account/api-key.ts';
import type { Escalation, EscalationType, WatchlistId } from '../../../model/detect/watchlist.ts';
import { escalationTypes } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import { type EscalationRow, escalationOf, submissionWaitMsMax } from '../../detect/rows/escalation-rows.ts';
import type { SubmissionOutcome } from '../../escalation-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import { lockAccounts, type Statements } from './account-lock.ts';
import { appendEvents, type EventSubject } from './event-log.ts';

/** In the order given, of domains that are not escalated like this yet. */
export async function insertEscalations(
  sql: Transaction,
  subjects: readonly EventSubject[],
  type: EscalationType,
  { username, atMs }: Actor,
): Promise<readonly Escalation[]> {
  const events = await appendEvents(
    sql,
    subjects.map((subject) => ({ kind: 'escalated', subject, atMs, detail: { type } })),
  );
  const isSubmitted = type === 'external_safe';
  const rows = subjects.map(({ number, name, account_id }, position) => ({
    position,
    id: newId(),
    account_id,
    domain: number,
    name,
    event: events[position] ?? null,
  }));
  await sql`
    insert into escalation (id, account_id, domain, name, type, created_ms, updated_ms, created_by, event, submission, next_ms)
    select id, account_id, domain, name, ${type}, ${atMs}::bigint, ${atMs}::bigint, ${username}, event,
      ${isSubmitted ? 'waiting' : null}::text, ${isSubmitted ? atMs : null}::bigint
    from json_to_recordset(${jsonRows(rows)}::text::json)
      as new (position int, id text, account_id text, domain bigint, name text, event bigint)
    order by position`;
  await sql`update watchlist_domain set escalated_ms = greatest(escalated_ms, ${atMs}::bigint)
    where number = any(${subjects.map(({ number }) => number)}::bigint[])`;
  return rows.map(({ id, name }, index) => ({
    id,
    domainId: subjects[index]?.id as string,
    domain: name,
    type,
    createdMs: atMs,
    updatedMs: atMs,
    createdBy: username,
    submission: isSubmitted ? { status: 'waiting', attempts: 0, error: undefined } : undefined,
  }));
}

/** Newest first. Asks for each type separately: each is a scan of an index of at most `limit` rows. */
export async function listEscalations(
  sql: Statements,
  accountId: string,
  page: { readonly type?: EscalationType; readonly beforeId?: WatchlistId; readonly limit: number },
): Promise<readonly Escalation[]> {
  const { type, beforeId, limit } = page;
  const types = type === undefined ? [...escalationTypes] : [type];
  const before =
    beforeId === undefined
      ? sql``
      : sql`and number < (select number from escalation where account_id = ${accountId} and id = ${beforeId})`;
  const rows = await sql<EscalationRow[]>`
    select escalation.*, watchlist_domain.id as domain_id
    from unnest(${types}::text[]) as wanted (type), lateral (
      select * from escalation where account_id = ${accountId} and escalation.type = wanted.type ${before}
      order by number desc limit ${limit}) as escalation
      join watchlist_domain on watchlist_domain.number = escalation.domain
    order by escalation.number desc limit ${limit}`;
  return rows.map(escalationOf);
}

/**
 * Attempts are counted when they begin, so that one that crashes the process counts too. Under the locks of the accounts, because what is
 * leased can no longer be undone.
 */
export async function leaseSubmissions(
  database: PostgresDatabase,
  limit: number,
  nowMs: number,
  untilMs: number,
): Promise<readonly (Escalation & { readonly accountId: string })[]> {
  // Asked every second; nothing is locked unless something is due.
  const due = await database.read((sql) => findDue(sql, limit, nowMs));
  if (due.length === 0) return [];
  const accounts = due.map(({ account_id }) => account_id);
  const rows = await database.write(async (sql) => {
    await lockAccounts(sql, accounts);
    const still = await findDue(sql, limit, nowMs, accounts);
    const numbers = still.map(({ number }) => number);
    const leased = await sql<EscalationRow[]>`
      update escalation set next_ms = ${untilMs}, attempts = attempts + 1 from watchlist_domain as subject
      where escalation.number = any(${numbers}::bigint[]) and subject.number = domain
      returning escalation.*, subject.id as domain_id`;
    return leased.sort((one, other) => numbers.indexOf(one.number) - numbers.indexOf(other.number));
  });
  return rows.map((row) => ({ ...escalationOf(row), accountId: row.account_id }));
}

/** The longest due first. */
function findDue(
  sql: Statements,
  limit: number,
  nowMs: number,
  accounts?: readonly string[],
): Promise<readonly { readonly number: number; readonly account_id: string }[]> {
  const ofAccounts = accounts ? sql`and account_id = any(${accounts}::text[])` : sql``;
  return sql<{ number: number; account_id: string }[]>`
    select number, account_id from escalation
    where submission = 'waiting' and (next_ms <= ${nowMs} or next_ms > ${nowMs + submissionWaitMsMax}) ${ofAccounts}
    order by next_ms, number limit ${limit}`;
}

/** A final outcome is never overwritten by a late one. */
export async function recordSubmissionOutcome(
  sql: Statements,
  id: WatchlistId,
  { status, error, nextMs, atMs }: SubmissionOutcome,
): Promise<void> {
  await sql`update escalation set submission = ${status}, error = ${error ?? null}, next_ms = ${nextMs ?? atMs},
      updated_ms = ${atMs}
    where id = ${id} and submission = 'waiting'`;
}
