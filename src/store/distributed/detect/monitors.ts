/** Rows of monitors. A monitor that is being deleted is treated as missing. */
import { newId } from '../../../model/account/api-key.ts';
import type { Monitor, MonitorSettings, WatchlistId } from '../../../model/detect/watchlist.ts';
import {
  changedMonitor,
  declaredText,
  type MonitorRow,
  monitorOf,
  termOrder,
} from '../../detect/rows/monitor-rows.ts';
import type {
  ActiveMonitor,
  MatchCounts,
  MonitorChange,
  MonitorDeletion,
  SearchProgress,
} from '../../monitor-store.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';

const monitorsPerPage = 1000;

export async function findMonitorRow(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
): Promise<MonitorRow | undefined> {
  const [row] = await sql<MonitorRow[]>`
    select * from monitor where id = ${id} and account_id = ${accountId} and not deleted`;
  return row;
}

/** Of all accounts. */
export async function listActiveMonitors(sql: Statements): Promise<readonly ActiveMonitor[]> {
  const active: ActiveMonitor[] = [];
  for (let after = 0; ; ) {
    const rows: readonly MonitorRow[] = await sql<MonitorRow[]>`
      select * from monitor where state = 'active' and not deleted and number > ${after}
      order by number limit ${monitorsPerPage}`;
    active.push(...rows.map((row) => ({ accountId: row.account_id, monitor: monitorOf(row) })));
    const last = rows.at(-1);
    if (!last || rows.length < monitorsPerPage) return active;
    after = last.number;
  }
}

export async function monitorsVersion(sql: Statements): Promise<number> {
  const [row] = await sql<{ value: number }[]>`select value from watchlist_counter where name = 'monitors'`;
  return row?.value ?? 0;
}

/** The last statement of a transaction: everybody who changes a monitor waits for it. */
export async function raiseMonitorsVersion(sql: Transaction): Promise<void> {
  await sql`insert into watchlist_counter (name, value) values ('monitors', 1)
    on conflict (name) do update set value = watchlist_counter.value + 1`;
}

export async function createMonitor(
  sql: Transaction,
  accountId: string,
  settings: MonitorSettings,
  { username, atMs }: { readonly username: string; readonly atMs: number },
): Promise<Monitor> {
  const {
    term,
    matchSubstringVariations,
    nameserverExclusions,
    textExclusions,
    passiveOnly = false,
  } = settings;
  const [row] = await sql<MonitorRow[]>`
    insert into monitor (id, account_id, term, term_key, substring_variations, nameserver_exclusions, text_exclusions, state,
      status, created_by, created_ms, updated_ms, applied_ms, passive_only)
    values (${newId()}, ${accountId}, ${term}, ${termOrder(term)}, ${matchSubstringVariations},
      ${nameserverExclusions}::text[], ${textExclusions}::text[], 'active', 'pending', ${username},
      ${atMs}, ${atMs}, ${atMs}, ${passiveOnly}) returning *`;
  await raiseMonitorsVersion(sql);
  return monitorOf(row as MonitorRow);
}

/** Matches that the change may affect must be computed again afterwards: then `isApplied` is false. */
export async function updateMonitor(
  sql: Transaction,
  row: MonitorRow,
  change: MonitorChange,
  atMs: number,
): Promise<{ readonly monitor: Monitor; readonly isApplied: boolean }> {
  const { after, sameMatches } = changedMonitor(monitorOf(row), change, atMs);
  const [updated] = await sql<(MonitorRow & { readonly applied_ms: number })[]>`
    update monitor set substring_variations = ${after.matchSubstringVariations},
      nameserver_exclusions = ${after.nameserverExclusions}::text[],
      text_exclusions = ${after.textExclusions}::text[], state = ${after.state}, status = ${after.status},
      searched_names = ${after.searched.names}, searched_of = ${after.searched.ofNames}, updated_ms = ${after.updatedMs},
      declared = ${declaredText(after)}, passive_only = ${after.passiveOnly ?? false},
      applied_ms = case when ${sameMatches} and applied_ms = updated_ms then ${after.updatedMs}::bigint else applied_ms end
    where number = ${row.number} returning *`;
  await raiseMonitorsVersion(sql);
  const now = updated as MonitorRow & { readonly applied_ms: number };
  return { monitor: monitorOf(now), isApplied: now.applied_ms === now.updated_ms };
}

export async function recordSearchProgress(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
  { names, ofNames, done, updatedMs }: SearchProgress,
): Promise<void> {
  await sql`update monitor set searched_names = ${names}, searched_of = ${ofNames},
      status = case when ${done} then 'completed' else status end
    where account_id = ${accountId} and id = ${id} and not deleted and status = 'pending' and updated_ms = ${updatedMs}`;
}

/** Takes effect immediately; its matches must be removed afterwards. */
export async function deleteMonitor(
  sql: Transaction,
  accountId: string,
  id: WatchlistId,
  { forget = false, unblockedMs }: MonitorDeletion,
): Promise<number | undefined> {
  const [row] = await sql<{ number: number }[]>`
    update monitor set deleted = true, forgotten = ${forget}, unblocked = ${unblockedMs !== undefined},
      updated_ms = greatest(updated_ms, ${unblockedMs ?? 0}::bigint)
    where account_id = ${accountId} and id = ${id} and not deleted returning number`;
  if (row) await raiseMonitorsVersion(sql);
  return row?.number;
}

export async function countMatches(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
): Promise<MatchCounts | undefined> {
  const [row] = await sql<(MatchCounts['alone'] & { domains: number })[]>`
    select count(domain) as domains, count(*) filter (where alone) as removed,
      count(*) filter (where alone and domain_state <> 'new') as remembered, count(*) filter (where alone and blocked) as blocked
    from monitor left join lateral (
      select monitor_match.domain, watchlist_domain.state as domain_state,
        not exists (select 1 from monitor_match as other
          where other.domain = monitor_match.domain and other.monitor <> monitor.number) as alone,
        exists (select 1 from escalation
          where escalation.domain = monitor_match.domain and type = 'blocked') as blocked
      from monitor_match join watchlist_domain on watchlist_domain.number = monitor_match.domain
      where monitor_match.monitor = monitor.number) as matched on true
    where id = ${id} and account_id = ${accountId} and not deleted group by monitor.number`;
  if (!row) return undefined;
  const { domains, ...alone } = row;
  return { domains, alone };
}
