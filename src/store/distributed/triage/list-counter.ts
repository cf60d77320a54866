/** How many domains each list has, as a whole and by monitor, and how many were discovered on each day. */
import type { Monitor } from '../../../model/detect/watchlist.ts';
import { dayMs } from '../../../model/durations.ts';
import { type DayRow, daysOf, totalsOf } from '../../detect/triage/list-totals.ts';
import { type ListCounts, type MonitorCounts, triageLists } from '../../triage-store.ts';
import type { Fragment, Transaction } from '../postgres/database.ts';
import { isIn } from './triage-conditions.ts';

interface MonitorRow {
  readonly number: number;
  readonly id: string;
  readonly term: string;
  readonly state: Monitor['state'];
}

interface Series {
  readonly fromMs: number;
  readonly days: number;
}

export async function countLists(
  sql: Transaction,
  accountId: string,
  series: Series,
): Promise<{ lists: ListCounts; monitors: readonly MonitorCounts[] }> {
  const [lists, monitors, days] = await Promise.all([
    countWhole(sql, accountId),
    sql<MonitorRow[]>`
      select number, id, term, state from monitor where account_id = ${accountId} and not deleted
      order by lower(term collate "C") collate "C", number`,
    countDays(sql, accountId, series),
  ]);
  const byMonitor = Map.groupBy(days, ({ number }) => number);
  return {
    lists,
    monitors: monitors.map(({ number, id, term, state }) => {
      const rows = byMonitor.get(number) ?? [];
      return { id, term, state, ...totalsOf(rows), days: daysOf(rows, series.days) };
    }),
  };
}

/** Each is a scan of an index. */
async function countWhole(sql: Transaction, accountId: string): Promise<ListCounts> {
  const counts = triageLists.map((list) => {
    const isCounted =
      list === 'blocked'
        ? sql`number in (select escalation.domain from escalation
            where escalation.account_id = ${accountId} and type = 'blocked')`
        : isIn(sql, list);
    return sql`(select count(*) from watchlist_domain as domain where account_id = ${accountId} and ${isCounted})
      as ${sql(list)}`;
  });
  const [row] = await sql<[ListCounts]>`select ${joined(sql, counts)}`;
  return row;
}

/** By monitor and day; without a day, those that were discovered at another time. */
function countDays(
  sql: Transaction,
  accountId: string,
  { fromMs, days }: Series,
): Promise<readonly DayRow[]> {
  const sums = triageLists.map((list) => sql`count(*) filter (where ${isIn(sql, list)}) as ${sql(list)}`);
  return sql<DayRow[]>`
    select monitor_match.monitor as number, count(*) as domains, ${joined(sql, sums)},
      case when discovered_ms >= ${fromMs} and discovered_ms < ${fromMs + days * dayMs}
        then ((discovered_ms - ${fromMs}) / ${dayMs}::bigint)::int end as day
    from monitor_match join watchlist_domain as domain on domain.number = monitor_match.domain
    where monitor_match.monitor in (select number from monitor where monitor.account_id = ${accountId} and not deleted)
      and named
    group by monitor_match.monitor, day`;
}

function joined(sql: Transaction, fragments: readonly Fragment[]): Fragment {
  return fragments.reduce((all, one) => sql`${all}, ${one}`);
}
