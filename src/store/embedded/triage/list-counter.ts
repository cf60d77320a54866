/** How many domains the lists of an account have, as a whole and by monitor, and how many were discovered on each day. */
import type { Monitor } from '../../../model/detect/watchlist.ts';
import { dayMs } from '../../../model/durations.ts';
import { type DayRow, daysOf, totalsOf } from '../../detect/triage/list-totals.ts';
import { type ListCounts, type MonitorCounts, type TriageList, triageLists } from '../../triage-store.ts';
import type { Database } from '../database.ts';
import { memberships } from './triage-conditions.ts';

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

const sums = triageLists.map((list) => `sum(${memberships[list]}) as "${list}"`).join(', ');

export class ListCounter {
  readonly #database: Database;
  readonly #lists;
  readonly #monitors;
  readonly #days;

  constructor(database: Database) {
    this.#database = database;
    const counted: Readonly<Record<TriageList, string>> = {
      ...memberships,
      blocked:
        "number in (select domain from escalation where escalation.account = :account and type = 'blocked')",
    };
    // Each is a scan of an index.
    const counts = triageLists.map(
      (list) => `(select count(*) from domain where account = :account and ${counted[list]}) as "${list}"`,
    );
    this.#lists = database.prepare(`select ${counts.join(', ')}`);
    this.#monitors = database.prepare(
      'select number, id, term, state from monitor where account = ? and deleted = 0 order by term collate nocase, number',
    );
    const isInSeries = 'discovered_ms >= :fromMs and discovered_ms < :endMs';
    this.#days = database.prepare(
      `select monitor_match.monitor as number, count(*) as domains, ${sums},
         iif(${isInSeries}, cast((discovered_ms - :fromMs) / ${dayMs} as integer), null) as day
       from monitor_match join domain on domain.number = monitor_match.domain
       where monitor_match.monitor in (select number from monitor where monitor.account = :account and deleted = 0)
         and named = 1
       group by monitor_match.monitor, day`,
    );
  }

  count(accountId: string, series: Series): { lists: ListCounts; monitors: readonly MonitorCounts[] } {
    return this.#database.transaction(() => {
      const lists = this.#lists.get({ account: accountId }) as ListCounts;
      const monitors = this.#monitors.all(accountId) as MonitorRow[];
      const byMonitor = Map.groupBy(this.#dayRows(accountId, series), ({ number }) => number);
      return {
        lists,
        monitors: monitors.map(({ number, id, term, state }) => {
          const rows = byMonitor.get(number) ?? [];
          return { id, term, state, ...totalsOf(rows), days: daysOf(rows, series.days) };
        }),
      };
    })();
  }

  #dayRows(accountId: string, { fromMs, days }: Series): readonly DayRow[] {
    return this.#days.all({ account: accountId, fromMs, endMs: fromMs + days * dayMs }) as DayRow[];
  }
}
