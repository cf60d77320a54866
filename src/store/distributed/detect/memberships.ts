/**
 * Whether domains are on a list, computed again whenever something it depends on changes: their matches, their exclusions, their monitors,
 * their state. All of it under the lock of the account, for many domains at a time.
 */
import { type MatchRow, type MemberRow, membershipOf } from '../../detect/rows/membership.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import { raiseBlocklistVersion } from './blocked-names.ts';
import { appendEvents, appendWithdrawals, type EventSubject, type NewEvent } from './event-log.ts';

type DomainRow = EventSubject & MemberRow;
type DomainMatchRow = MatchRow & { readonly domain: number };

/** Returns the domains that are listed. The first time that one is listed as new, a `discovered` event is appended. */
export async function updateMemberships(
  sql: Transaction,
  domains: readonly { readonly number: number; readonly atMs: number }[],
): Promise<ReadonlySet<number>> {
  const { listed, discovered } = await writeMemberships(sql, domains);
  await appendEvents(sql, [...discovered.values()]);
  return listed;
}

/** The same for a caller who appends the `discovered` events, which are returned by domain, among others. */
export async function writeMemberships(
  sql: Transaction,
  domains: readonly { readonly number: number; readonly atMs: number }[],
): Promise<{ readonly listed: ReadonlySet<number>; readonly discovered: ReadonlyMap<number, NewEvent> }> {
  if (domains.length === 0) return { listed: new Set(), discovered: new Map() };
  const numbers = domains.map(({ number }) => number);
  const rows = await sql<DomainRow[]>`
    select number, id, account_id, name, unicode, state, name_servers, listed, announced
    from watchlist_domain where number = any(${numbers}::bigint[])`;
  const matches = await sql<DomainMatchRow[]>`
    select domain, monitor, excluded, named, monitor.state = 'active' as active, deleted, nameserver_exclusions, text_exclusions
    from monitor_match join monitor on monitor.number = monitor where domain = any(${numbers}::bigint[])`;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const matchesOf = Map.groupBy(matches, ({ domain }) => domain);
  const computed = domains.flatMap(({ number, atMs }) => {
    const [row, own] = [byNumber.get(number), matchesOf.get(number)];
    return row && own ? [{ row, atMs, ...membershipOf(row, own) }] : [];
  });
  await unlist(
    sql,
    numbers.filter((number) => !matchesOf.has(number)),
  );
  await putMatches(
    sql,
    computed.flatMap(({ row, changedMatches }) =>
      changedMatches.map((match) => ({ domain: row.number, ...match })),
    ),
  );
  await putDomains(
    sql,
    computed
      .filter(({ isChanged }) => isChanged)
      .map(({ row, ...rest }) => ({ number: row.number, ...rest })),
  );
  const announced = computed.filter(({ announces }) => announces);
  return {
    listed: new Set(computed.filter(({ listed }) => listed).map(({ row }) => row.number)),
    discovered: new Map(
      announced.map(({ row, atMs }) => [row.number, { kind: 'discovered', subject: row, atMs }]),
    ),
  };
}

/** No monitor matches them. If one is found again undecided, that is a discovery again. */
async function unlist(sql: Transaction, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql`update watchlist_domain set listed = false, matched = false, announced = announced and state <> 'new'
    where number = any(${numbers}::bigint[])`;
}

async function putMatches(
  sql: Transaction,
  matches: readonly { domain: number; monitor: number; excluded: boolean; named: boolean }[],
): Promise<void> {
  if (matches.length === 0) return;
  await sql`update monitor_match set excluded = now.excluded, named = now.named
    from json_to_recordset(${jsonRows(matches)}::text::json)
      as now (domain bigint, monitor bigint, excluded boolean, named boolean)
    where monitor_match.domain = now.domain and monitor_match.monitor = now.monitor`;
}

async function putDomains(
  sql: Transaction,
  domains: readonly { number: number; listed: boolean; announces: boolean }[],
): Promise<void> {
  if (domains.length === 0) return;
  const rows = domains.map(({ number, listed, announces }) => ({ number, listed, announces }));
  await sql`update watchlist_domain set listed = now.listed, announced = announced or announces
    from json_to_recordset(${jsonRows(rows)}::text::json) as now (number bigint, listed boolean, announces boolean)
    where watchlist_domain.number = now.number`;
}

/** Takes domains off the blocklist; what else was decided about them stays. */
export async function unblockDomains(
  sql: Transaction,
  accountId: string,
  numbers: readonly number[],
  atMs: number,
): Promise<void> {
  const removed = await sql<{ domain: number; event: number | null }[]>`
    delete from escalation where domain = any(${numbers}::bigint[]) and type = 'blocked' returning domain, event`;
  if (removed.length === 0) return;
  await raiseBlocklistVersion(sql, accountId);
  const subjects = await sql<EventSubject[]>`
    update watchlist_domain set escalated_ms = (select max(created_ms) from escalation where domain = watchlist_domain.number)
    where number = any(${removed.map(({ domain }) => domain)}::bigint[]) returning number, id, account_id, name, state`;
  const eventOf = new Map(removed.map(({ domain, event }) => [domain, event ?? undefined]));
  const withdrawals = subjects
    .sort((one, other) => one.number - other.number)
    .map((subject) => ({ subject, type: 'blocked' as const, event: eventOf.get(subject.number) }));
  await appendWithdrawals(sql, withdrawals, atMs);
}

/** Takes domains off all lists, and with them every decision: also off the blocklist. */
export async function forgetDomains(
  sql: Transaction,
  accountId: string,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const domains = sql`any(${numbers}::bigint[])`;
  const removed = await sql<
    { type: string }[]
  >`delete from escalation where domain = ${domains} returning type`;
  if (removed.some(({ type }) => type === 'blocked')) await raiseBlocklistVersion(sql, accountId);
  await sql`delete from monitor_match where domain = ${domains}`;
  await sql`delete from decided_domain where domain = ${domains}`;
  await sql`update watchlist_domain set state = 'new', listed = false, matched = false, announced = false, assigned_by = null,
    assigned_ms = null, escalated_ms = null where number = ${domains}`;
}
