/** Lists of domains: filters as SQL conditions, an exact total, and pages of row numbers, whose rows are then read. */
import type { WatchlistDomain } from '../../../model/detect/watchlist.ts';
import type { ListSnapshot } from '../../detect/rows/list-snapshot.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { DomainQuery, DomainSort } from '../../watchlist-store.ts';
import type { Fragment, PostgresDatabase, Sql } from '../postgres/database.ts';
import { listDomainsOf } from './domain-rows.ts';
import { findSnapshot, saveSnapshot } from './list-snapshots.ts';
import { findMonitorRow } from './monitors.ts';

interface DomainPage {
  readonly total: number;
  readonly domains: readonly WatchlistDomain[];
}

const sortColumns: Readonly<Record<DomainSort, string>> = {
  discovered_date: 'discovered_ms',
  changed_date: 'changed_ms',
  risk_score: 'risk_score',
};

/** With `paging`, a page of the list as it was when its first page was requested. */
export async function listDomains(
  database: PostgresDatabase,
  accountId: string,
  query: DomainQuery,
  paging?: ListPaging,
): Promise<DomainPage | 'unknown-monitor'> {
  const { state: list, offset, limit } = query;
  const read = (rows: readonly number[]) => database.read((sql) => listDomainsOf(sql, accountId, rows));
  if (!paging) {
    const selected = await select(database, accountId, query, query);
    if (selected === 'unknown-monitor') return selected;
    return { total: selected.total, domains: await read(selected.rows) };
  }
  const key = { accountId, list, paging };
  const known = paging.isFirstPage ? undefined : await database.read((sql) => findSnapshot(sql, key, query));
  if (known) return { total: known.total, domains: await read(known.rows) };
  const selected = await select(database, accountId, query, { offset: 0, limit: paging.rowsMax });
  if (selected === 'unknown-monitor') return selected;
  await saveSnapshot(database, key, { ...selected, limit });
  return { total: selected.total, domains: await read(selected.rows.slice(offset, offset + limit)) };
}

/** Total and rows come from one statement, so from one state of the database. */
function select(
  database: PostgresDatabase,
  accountId: string,
  query: DomainQuery,
  { offset, limit }: Pick<DomainQuery, 'offset' | 'limit'>,
): Promise<ListSnapshot | 'unknown-monitor'> {
  return database.read(async (sql) => {
    const monitor =
      query.monitorId === undefined ? undefined : await findMonitorRow(sql, accountId, query.monitorId);
    if (query.monitorId !== undefined && !monitor) return 'unknown-monitor';
    const where = conditionsOf(sql, accountId, query, monitor?.number);
    const [selected] = await sql<{ total: number; rows: number[] }[]>`
      select (select count(*) from watchlist_domain where ${where}) as total,
        array(select number from watchlist_domain where ${where}
          order by ${sql.unsafe(orderOf(query))} limit ${limit} offset ${offset}) as rows`;
    return selected as { total: number; rows: number[] };
  });
}

function conditionsOf(
  sql: Sql,
  accountId: string,
  query: DomainQuery,
  monitor: number | undefined,
): Fragment {
  const { tlds, riskRanges, escalationTypes, search } = query;
  const given = <Value>(value: Value | undefined, condition: (value: Value) => Fragment): Fragment[] =>
    value === undefined ? [] : [condition(value)];
  const conditions = [
    ...given(query.discoveredSinceMs, (ms) => sql`discovered_ms >= ${ms}`),
    ...given(query.discoveredBeforeMs, (ms) => sql`discovered_ms < ${ms}`),
    ...given(query.changedSinceMs, (ms) => sql`changed_ms >= ${ms}`),
    ...given(query.changedBeforeMs, (ms) => sql`changed_ms < ${ms}`),
    ...given(query.escalatedSinceMs, (ms) => sql`escalated_ms >= ${ms}`),
    ...given(query.mxExists, (flag) => sql`mx_exists = ${flag}`),
    ...given(query.active, (flag) => sql`active = ${flag}`),
    ...given(
      query.resolvedByUs,
      (flag) => sql`exists (select 1 from sighting where sighting.domain = watchlist_domain.name) = ${flag}`,
    ),
    ...given(
      monitor,
      (one) => sql`number in (select domain from monitor_match where monitor = ${one} and named)`,
    ),
    ...given(tlds, (names) => isBelowAny(sql, names)),
    ...given(
      escalationTypes,
      (types) => sql`exists (select 1 from escalation
        where escalation.domain = watchlist_domain.number and type = any(${types}::text[]))`,
    ),
    ...given(riskRanges, (ranges) => hasRiskIn(sql, ranges)),
    ...given(search, (text) => sql`(strpos(name, ${text}) > 0 or strpos(unicode, ${text}) > 0)`),
  ];
  return conditions.reduce(
    (all, condition) => sql`${all} and ${condition}`,
    sql`account_id = ${accountId} and state = ${query.state} and listed`,
  );
}

/** `uk` includes `co.uk`, as in searches of domain records. */
function isBelowAny(sql: Sql, tlds: readonly string[]): Fragment {
  return sql`exists (select 1 from unnest(${tlds}::text[]) as wanted (value)
    where tld = value or right(tld, length(value) + 1) = '.' || value)`;
}

function hasRiskIn(sql: Sql, ranges: readonly (readonly [from: number, to: number])[]): Fragment {
  return sql`exists (select 1 from unnest(${ranges.map(([from]) => from)}::float8[], ${ranges.map(([, to]) => to)}::float8[])
    as wanted (low, high) where risk_score between low and high)`;
}

/** Unknown values are last in both directions; ties are broken by order of insertion. */
function orderOf({ sort, descending }: DomainQuery): string {
  const direction = descending ? 'desc' : 'asc';
  const keys = sort.map(
    (key) => `${sortColumns[key]} ${direction} ${key === 'discovered_date' ? '' : 'nulls last'}`,
  );
  return [...keys, `number ${direction}`].join(', ');
}
