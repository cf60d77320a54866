/** Lists of monitors, with the counts of their domains. */

import type { ListSnapshot } from '../../detect/rows/list-snapshot.ts';
import { type CountedMonitorRow, countedMonitorOf, termOrder } from '../../detect/rows/monitor-rows.ts';
import type { CountedMonitor, MonitorQuery, MonitorSort } from '../../monitor-store.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { Database } from '../database.ts';
import { ListSnapshots } from './list-snapshots.ts';
import { monitorColumns } from './monitors.ts';

const sortColumns: Readonly<Record<MonitorSort, string>> = {
  term: 'term_order(term)',
  created_date: 'created_ms',
  domain_counts_changed: 'changed',
  domain_counts_discovered: '"new"',
};

/** Since the given time: discovered, and still new; set to watched, and still watched; changed, and watched; escalated. */
const counts = `
  select monitor.number as monitor,
    sum(domain.state = 'new' and discovered_ms >= :since) as "new",
    sum(domain.state = 'watched' and assigned_ms >= :since) as watched,
    sum(domain.state = 'watched' and ifnull(changed_ms >= :since, 0)) as changed,
    sum(ifnull(escalated_ms >= :since, 0)) as escalated
  from monitor
    join monitor_match on monitor_match.monitor = monitor.number
    join domain on domain.number = domain
  where monitor.account = :account and monitor.deleted = 0 and named = 1 and listed = 1
  group by monitor.number`;

interface MonitorPage {
  readonly total: number;
  readonly monitors: readonly CountedMonitor[];
}

export class MonitorList {
  readonly #database: Database;
  readonly #snapshots: ListSnapshots;
  readonly #total;

  constructor(database: Database) {
    this.#database = database;
    this.#snapshots = new ListSnapshots(database);
    database.function('term_order', { deterministic: true }, (term: unknown) => termOrder(String(term)));
    this.#total = database.prepare('select count(*) from monitor where account = ? and deleted = 0').pluck();
  }

  /** With `paging`, the order of the first page; monitors deleted since are left out, and the total is less by their number. */
  async list(accountId: string, query: MonitorQuery, paging?: ListPaging): Promise<MonitorPage> {
    if (!paging) return this.#listNow(accountId, query);
    const { limit, offset } = query;
    const whole = { offset: 0, limit: paging.rowsMax };
    const known = paging.isFirstPage ? undefined : this.#snapshots.find(accountId, 'monitors', paging, whole);
    if (known) return this.#listSnapshot(accountId, query, known);
    const { total, monitors, rows } = this.#listNow(accountId, { ...query, ...whole });
    await this.#snapshots.save(accountId, 'monitors', paging, { total, rows, limit });
    return { total, monitors: monitors.slice(offset, offset + limit) };
  }

  #listNow(accountId: string, query: MonitorQuery): MonitorPage & Pick<ListSnapshot, 'rows'> {
    return this.#database.transaction(() => {
      const rows = this.#page(accountId, query);
      return {
        total: this.#total.get(accountId) as number,
        monitors: rows.map((row) => countedMonitorOf(row)),
        rows: rows.map(({ number }) => number),
      };
    })();
  }

  #listSnapshot(accountId: string, query: MonitorQuery, { rows }: ListSnapshot): MonitorPage {
    return this.#database.transaction(() => {
      const left = this.#page(accountId, { ...query, offset: 0, limit: rows.length }, rows);
      const byNumber = new Map(left.map((row) => [row.number, row]));
      const page = rows.slice(query.offset, query.offset + query.limit);
      return {
        total: left.length,
        monitors: page.flatMap((number) => {
          const row = byNumber.get(number);
          return row ? [countedMonitorOf(row)] : [];
        }),
      };
    })();
  }

  #page(
    accountId: string,
    { sort, descending, offset, limit, countsSinceMs }: MonitorQuery,
    among?: readonly number[],
  ): CountedMonitorRow[] {
    const byCounts = sort.some((key) => key.startsWith('domain_counts'));
    const isCounted = byCounts || countsSinceMs !== undefined;
    const direction = descending ? 'desc' : 'asc';
    const order = [...sort.map((key) => sortColumns[key]), 'number'].map(
      (column) => `${column} ${direction}`,
    );
    const values = { account: accountId, limit, offset, ...(among ? { among: JSON.stringify(among) } : {}) };
    const chosen = among ? 'and number in (select value from json_each(:among))' : '';
    return this.#database
      .prepare(
        `select ${monitorColumns}${isCounted ? ', ifnull("new", 0) as "new", ifnull(watched, 0) as watched, ifnull(changed, 0) as changed, ifnull(escalated, 0) as escalated' : ''}
         from monitor ${isCounted ? `left join (${counts}) as counted on counted.monitor = number` : ''}
         where account = :account and deleted = 0 ${chosen} order by ${order.join(', ')} limit :limit offset :offset`,
      )
      .all(isCounted ? { ...values, since: countsSinceMs ?? 0 } : values) as CountedMonitorRow[];
  }
}
