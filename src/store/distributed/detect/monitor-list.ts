/** Lists of monitors, with the counts of their domains. */
import { type CountedMonitorRow, countedMonitorOf } from '../../detect/rows/monitor-rows.ts';
import type { CountedMonitor, MonitorQuery, MonitorSort } from '../../monitor-store.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { findSnapshot, saveSnapshot } from './list-snapshots.ts';

const sortColumns: Readonly<Record<MonitorSort, string>> = {
  term: 'term_key',
  created_date: 'created_ms',
  domain_counts_changed: 'changed',
  domain_counts_discovered: '"new"',
};

interface MonitorPage {
  readonly total: number;
  readonly monitors: readonly CountedMonitor[];
}

/** With `paging`, the order of the first page; monitors deleted since are left out, and the total is less by their number. */
export async function listMonitors(
  database: PostgresDatabase,
  accountId: string,
  query: MonitorQuery,
  paging?: ListPaging,
): Promise<MonitorPage> {
  const { limit, offset } = query;
  if (!paging) {
    const { total, rows } = await listNow(database, accountId, query);
    return { total, monitors: rows.map(countedMonitorOf) };
  }
  const key = { accountId, list: 'monitors', paging } as const;
  const whole = { offset: 0, limit: paging.rowsMax };
  const known = paging.isFirstPage ? undefined : await database.read((sql) => findSnapshot(sql, key, whole));
  if (known) return listAmong(database, accountId, query, known.rows);
  const { total, rows } = await listNow(database, accountId, { ...query, ...whole });
  await saveSnapshot(database, key, { total, rows: rows.map(({ number }) => number), limit });
  return { total, monitors: rows.slice(offset, offset + limit).map(countedMonitorOf) };
}

function listNow(database: PostgresDatabase, accountId: string, query: MonitorQuery) {
  return database.snapshot(async (sql) => {
    const [counted] = await sql<{ total: number }[]>`
      select count(*) as total from monitor where account_id = ${accountId} and not deleted`;
    const rows = await readRows(sql, accountId, query);
    return { total: counted?.total ?? 0, rows };
  });
}

async function listAmong(
  database: PostgresDatabase,
  accountId: string,
  query: MonitorQuery,
  numbers: readonly number[],
): Promise<MonitorPage> {
  const left = await database.snapshot((sql) =>
    readRows(sql, accountId, { ...query, offset: 0, limit: numbers.length }, numbers),
  );
  const byNumber = new Map(left.map((row) => [row.number, row]));
  const page = numbers.slice(query.offset, query.offset + query.limit);
  return {
    total: left.length,
    monitors: page.flatMap((number) => {
      const row = byNumber.get(number);
      return row ? [countedMonitorOf(row)] : [];
    }),
  };
}

function readRows(
  sql: Transaction,
  accountId: string,
  { sort, descending, offset, limit, countsSinceMs }: MonitorQuery,
  among?: readonly number[],
): Promise<readonly CountedMonitorRow[]> {
  const isCounted = countsSinceMs !== undefined || sort.some((key) => key.startsWith('domain_counts'));
  const direction = descending ? 'desc' : 'asc';
  const order = [...sort.map((key) => sortColumns[key]), 'number'].map((column) => `${column} ${direction}`);
  const chosen = among ? sql`and number = any(${among}::bigint[])` : sql``;
  return sql<CountedMonitorRow[]>`
    select monitor.* ${isCounted ? sql`, counted.*` : sql``}
    from monitor ${isCounted ? countsOf(sql, countsSinceMs ?? 0) : sql``}
    where account_id = ${accountId} and not deleted ${chosen}
    order by ${sql.unsafe(order.join(', '))} limit ${limit} offset ${offset}`;
}

/** Since the given time: discovered, and still new; set to watched, and still watched; changed, and watched; escalated. */
function countsOf(sql: Transaction, sinceMs: number) {
  return sql`cross join lateral (
    select count(*) filter (where domain.state = 'new' and discovered_ms >= ${sinceMs}) as "new",
      count(*) filter (where domain.state = 'watched' and assigned_ms >= ${sinceMs}) as watched,
      count(*) filter (where domain.state = 'watched' and changed_ms >= ${sinceMs}) as changed,
      count(*) filter (where escalated_ms >= ${sinceMs}) as escalated
    from monitor_match join watchlist_domain as domain on domain.number = monitor_match.domain
    where monitor_match.monitor = monitor.number and named and listed) as counted`;
}
