/** Which domains match a filter, in the order of a list. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { TriageFilter, TriageList, TriageSort } from '../../triage-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Fragment } from '../postgres/database.ts';
import { arrivalIn, conditionOf } from './triage-conditions.ts';

export interface NamedDomain {
  readonly id: WatchlistId;
  readonly domain: string;
  readonly riskScore: number | undefined;
}

/** In an object, because a promise of a part of a statement would execute it. */
export interface Where {
  readonly condition: Fragment;
}

export async function whereOf(
  sql: Statements,
  accountId: string,
  filter: TriageFilter,
): Promise<Where | 'unknown-monitor'> {
  const monitors = filter.monitorIds && (await findMonitors(sql, accountId, filter.monitorIds));
  if (monitors === 'unknown-monitor') return monitors;
  return { condition: conditionOf(sql, accountId, filter, monitors) };
}

export async function findMonitors(
  sql: Statements,
  accountId: string,
  ids: readonly WatchlistId[],
): Promise<readonly number[] | 'unknown-monitor'> {
  const wanted = [...new Set(ids)];
  const rows = await sql<{ number: number }[]>`
    select number from monitor where account_id = ${accountId} and id = any(${wanted}::text[]) and not deleted`;
  return rows.length === wanted.length ? rows.map(({ number }) => number) : 'unknown-monitor';
}

export async function countDomains(sql: Statements, where: Fragment): Promise<number> {
  const [row] = await sql<
    [{ count: number }]
  >`select count(*) from watchlist_domain as domain where ${where}`;
  return row.count;
}

/** Their numbers. */
export async function listRows(
  sql: Statements,
  where: Fragment,
  order: Fragment,
  limit: number,
): Promise<readonly number[]> {
  const [row] = await sql<[{ numbers: number[] }]>`
    select array(select number from watchlist_domain as domain where ${where} order by ${order} limit ${limit}) as numbers`;
  return row.numbers;
}

export async function listIds(
  sql: Statements,
  accountId: string,
  filter: TriageFilter,
): Promise<readonly WatchlistId[] | 'unknown-monitor'> {
  const where = await whereOf(sql, accountId, filter);
  if (where === 'unknown-monitor') return where;
  const [row] = await sql<[{ ids: string[] }]>`
    select array(select id from watchlist_domain as domain where ${where.condition} order by number) as ids`;
  return row.ids;
}

export async function listNames(
  sql: Statements,
  accountId: string,
  filter: TriageFilter,
  limit: number,
): Promise<readonly NamedDomain[] | 'unknown-monitor'> {
  const where = await whereOf(sql, accountId, filter);
  if (where === 'unknown-monitor') return where;
  const rows = await sql<{ id: string; domain: string; score: number | null }[]>`
    select id, name as domain, risk_score as score from watchlist_domain as domain where ${where.condition}
    order by ${orderOf(sql, 'risk', filter.list)} limit ${limit}`;
  return rows.map(({ score, ...rest }) => ({ ...rest, riskScore: score ?? undefined }));
}

/** Unknown values are last; ties are broken by the time of arrival, then by order of insertion. */
export function orderOf(sql: Statements, sort: TriageSort, list: TriageList): Fragment {
  // All domains have a time of discovery, and an index in its order.
  const arrival =
    list === 'new'
      ? sql`domain.discovered_ms desc, domain.number desc`
      : sql`${arrivalIn(sql, list)} desc nulls last, domain.number desc`;
  if (sort === 'name') return sql`domain.name, domain.number`;
  if (sort === 'risk') return sql`domain.risk_score desc nulls last, ${arrival}`;
  if (sort === 'changed') return sql`domain.changed_ms desc nulls last, ${arrival}`;
  return arrival;
}
