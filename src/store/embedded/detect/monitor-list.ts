/** Lists of monitors, with the counts of their domains. */
import type { CountedMonitor, MonitorQuery, MonitorSort } from '../../monitor-store.ts';
import type { Database } from '../database.ts';
import { type MonitorRow, monitorOf } from './monitors.ts';

type CountedRow = MonitorRow & {
  readonly new: number;
  readonly watched: number;
  readonly changed: number;
  readonly escalated: number;
};

const sortColumns: Readonly<Record<MonitorSort, string>> = {
  term: 'term',
  created_date: 'created_ms',
  domain_counts_changed: 'changed',
  domain_counts_discovered: '"new"',
};

/** Since the given time: discovered, whatever was decided later; set to watched, and still watched; changed while watched; escalated. */
const counts = `
  select monitor.number as monitor,
    sum(discovered_ms >= :since) as "new",
    sum(domain.state = 'watched' and assigned_ms >= :since) as watched,
    sum(domain.state = 'watched' and ifnull(changed_ms >= :since, 0)) as changed,
    sum(ifnull(escalated_ms >= :since, 0)) as escalated
  from monitor
    join monitor_match on monitor_match.monitor = monitor.number
    join domain on domain.number = domain
  where monitor.account = :account and monitor.deleted = 0 and named = 1 and listed = 1
  group by monitor.number`;

export class MonitorList {
  readonly #database: Database;
  readonly #total;

  constructor(database: Database) {
    this.#database = database;
    this.#total = database.prepare('select count(*) from monitor where account = ? and deleted = 0').pluck();
  }

  list(accountId: string, query: MonitorQuery): { total: number; monitors: readonly CountedMonitor[] } {
    return this.#database.transaction(() => ({
      total: this.#total.get(accountId) as number,
      monitors: this.#page(accountId, query),
    }))();
  }

  #page(accountId: string, { sort, descending, offset, limit, countsSinceMs }: MonitorQuery) {
    const byCounts = sort.some((key) => key.startsWith('domain_counts'));
    const isCounted = byCounts || countsSinceMs !== undefined;
    const direction = descending ? 'desc' : 'asc';
    const order = [...sort.map((key) => sortColumns[key]), 'number'].map(
      (column) => `${column} ${direction}`,
    );
    const values = { account: accountId, limit, offset };
    const rows = this.#database
      .prepare(
        `select monitor.*${isCounted ? ', ifnull("new", 0) as "new", ifnull(watched, 0) as watched, ifnull(changed, 0) as changed, ifnull(escalated, 0) as escalated' : ''}
         from monitor ${isCounted ? `left join (${counts}) as counted on counted.monitor = number` : ''}
         where account = :account and deleted = 0 order by ${order.join(', ')} limit :limit offset :offset`,
      )
      .all(isCounted ? { ...values, since: countsSinceMs ?? 0 } : values) as CountedRow[];
    return rows.map((row): CountedMonitor => {
      if (!isCounted) return monitorOf(row);
      const { watched, changed, escalated } = row;
      return { ...monitorOf(row), counts: { new: row.new, watched, changed, escalated } };
    });
  }
}
