/** Events. They are appended under the lock of their account, so that those of an account become visible in the order of their ids. */
import type {
  DecisionEventKind,
  DomainState,
  EscalationType,
  EventKind,
  WatchlistEvent,
} from '../../../model/detect/watchlist.ts';
import {
  type AnyEventKind,
  allEventKinds,
  type DecisionDetail,
  type EventRow,
} from '../../detect/rows/event-rows.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import type { Statements } from './account-lock.ts';

/** What an event is about, as its row is. */
export interface EventSubject {
  readonly number: number;
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly state: DomainState;
}

export interface NewEvent {
  readonly kind: EventKind;
  readonly subject: EventSubject;
  readonly atMs: number;
  readonly detail?: WatchlistEvent['detail'];
  /** Of an event that withdraws another: its id, 0 if that is not known. */
  readonly withdraws?: number;
}

const eventsPerStatement = 5000;

/** In the order given. Ignored domains have no events but that somebody resolved them: the ids of others are undefined. */
export async function appendEvents(
  sql: Transaction,
  events: readonly NewEvent[],
): Promise<readonly (number | undefined)[]> {
  const seen = events.filter(isAppended);
  if (seen.length === 0) return events.map(() => undefined);
  const rows = seen.map(({ kind, subject, atMs, detail = {}, withdraws = null }, position) => ({
    position,
    account_id: subject.account_id,
    kind,
    at_ms: atMs,
    number: subject.number,
    domain_id: subject.id,
    domain: subject.name,
    detail: JSON.stringify(detail),
    withdraws,
  }));
  const inserted = await sql<{ number: number }[]>`
    insert into watchlist_event (account_id, kind, at_ms, domain_id, domain, monitor_ids, detail, withdraws)
    select account_id, kind, at_ms, domain_id, domain, array(
        select monitor.id from monitor_match join monitor on monitor.number = monitor_match.monitor
        where monitor_match.domain = new.number and named and not deleted order by monitor.number), detail,
      withdraws
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (position int, account_id text, kind text,
      at_ms bigint, number bigint, domain_id text, domain text, detail text, withdraws bigint)
    order by position returning number`;
  const numbers = inserted.map(({ number }) => number).sort((one, other) => one - other);
  let next = 0;
  return events.map((event) => (isAppended(event) ? numbers[next++] : undefined));
}

function isAppended({ kind, subject }: NewEvent): boolean {
  return subject.state !== 'ignored' || kind === 'resolved';
}

export interface Withdrawal {
  readonly subject: EventSubject;
  readonly type: EscalationType;
  /** Of the escalation; undefined if it is not known. */
  readonly event: number | undefined;
}

/** Escalations were undone: their own events are marked, so that what is not sent yet can leave them out. */
export async function appendWithdrawals(
  sql: Transaction,
  withdrawals: readonly Withdrawal[],
  atMs: number,
): Promise<void> {
  const numbers = await appendEvents(
    sql,
    withdrawals.map(({ subject, type, event = 0 }) => ({
      kind: 'withdrawn',
      subject,
      atMs,
      detail: { type },
      withdraws: event,
    })),
  );
  const pairs = withdrawals.flatMap(({ subject, event }, index) => {
    const number = numbers[index];
    return number === undefined || event === undefined
      ? []
      : [{ account_id: subject.account_id, number, event }];
  });
  if (pairs.length === 0) return;
  await sql`update watchlist_event as escalated set withdrawn_by = withdrawal.number
    from json_to_recordset(${jsonRows(pairs)}::text::json) as withdrawal (account_id text, number bigint, event bigint)
    where escalated.account_id = withdrawal.account_id and kind = 'escalated' and escalated.number = withdrawal.event`;
}

export async function appendDecisionEvent(
  sql: Transaction,
  kind: DecisionEventKind,
  { accountId, atMs }: { readonly accountId: string; readonly atMs: number },
  detail: DecisionDetail,
): Promise<void> {
  await sql`insert into watchlist_event (account_id, kind, at_ms, domain_id, domain, monitor_ids, detail)
    values (${accountId}, ${kind}, ${atMs}, '', '', '{}', ${JSON.stringify(detail)})`;
}

/** Asks for each kind separately: each is a scan of an index of at most `limit` rows. */
export function listEventRows(
  sql: Statements,
  accountId: string,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
  kinds: readonly AnyEventKind[],
): Promise<readonly EventRow[]> {
  return sql<EventRow[]>`
    select event.* from unnest(${[...new Set(kinds)]}::text[]) as wanted (kind), lateral (
      select * from watchlist_event where account_id = ${accountId} and watchlist_event.kind = wanted.kind and number > ${afterId}
      order by number limit ${limit}) as event
    order by number limit ${limit}`;
}

/** Up to the limit. */
export async function countEventRows(
  sql: Statements,
  accountId: string,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
  kinds: readonly AnyEventKind[],
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from (select 1 from unnest(${[...new Set(kinds)]}::text[]) as wanted (kind), lateral (
      select 1 from watchlist_event where account_id = ${accountId} and watchlist_event.kind = wanted.kind and number > ${afterId}
      limit ${limit}) as event limit ${limit}) as counted`;
  return row?.count ?? 0;
}

/** 0 if there is none. */
export async function lastEventId(sql: Statements, accountId: string): Promise<number> {
  const [row] = await sql<{ last: number | null }[]>`
    select max(latest.number) as last from unnest(${[...allEventKinds]}::text[]) as wanted (kind), lateral (
      select number from watchlist_event where account_id = ${accountId} and watchlist_event.kind = wanted.kind
      order by number desc limit 1) as latest`;
  return row?.last ?? 0;
}

/** Several nodes may do it at once. */
export async function pruneEvents(database: PostgresDatabase, beforeMs: number): Promise<void> {
  for (;;) {
    const { count } = await database.read(
      (sql) => sql`delete from watchlist_event where (account_id, kind, number) in (
        select account_id, kind, number from watchlist_event where at_ms < ${beforeMs} limit ${eventsPerStatement}
        for update skip locked)`,
    );
    if (count < eventsPerStatement) return;
  }
}
