/** Which domains match a filter, in the order of a list. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { TriageFilter, TriageList, TriageSort } from '../../triage-store.ts';
import type { Database } from '../database.ts';
import { Monitors } from '../detect/monitors.ts';
import { arrivals, conditionsOf } from './triage-conditions.ts';

/** A part of an SQL query with its values. */
export interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

export interface NamedDomain {
  readonly id: WatchlistId;
  readonly domain: string;
  readonly riskScore: number | undefined;
}

export class TriageSelection {
  readonly #database: Database;
  readonly #monitors: Monitors;

  constructor(database: Database) {
    this.#database = database;
    this.#monitors = new Monitors(database);
  }

  where(accountId: string, filter: TriageFilter): Where | 'unknown-monitor' {
    const monitors = filter.monitorIds?.map((id) => this.#monitors.findNumber(accountId, id));
    if (monitors?.includes(undefined)) return 'unknown-monitor';
    const conditions = conditionsOf(accountId, filter, monitors as number[] | undefined);
    return {
      sql: conditions.map(({ sql }) => sql).join(' and '),
      values: conditions.flatMap(({ values }) => values),
    };
  }

  count({ sql, values }: Where): number {
    return this.#database
      .prepare(`select count(*) from domain where ${sql}`)
      .pluck()
      .get(...values) as number;
  }

  /** Row numbers. */
  rows({ sql, values }: Where, order: string, limit: number): readonly number[] {
    return this.#database
      .prepare(`select number from domain where ${sql} order by ${order} limit ?`)
      .pluck()
      .all(...values, limit) as number[];
  }

  ids(accountId: string, filter: TriageFilter): readonly WatchlistId[] | 'unknown-monitor' {
    const where = this.where(accountId, filter);
    if (where === 'unknown-monitor') return where;
    return this.#database
      .prepare(`select id from domain where ${where.sql} order by number`)
      .pluck()
      .all(...where.values) as string[];
  }

  names(accountId: string, filter: TriageFilter, limit: number): readonly NamedDomain[] | 'unknown-monitor' {
    const where = this.where(accountId, filter);
    if (where === 'unknown-monitor') return where;
    const found = this.#database
      .prepare(
        `select id, name as domain, risk_score as score from domain where ${where.sql}
         order by ${orderOf('risk', filter.list)} limit ?`,
      )
      .all(...where.values, limit) as { id: string; domain: string; score: number | null }[];
    return found.map(({ score, ...rest }) => ({ ...rest, riskScore: score ?? undefined }));
  }
}

/** Unknown values are last; ties are broken by the time of arrival, then by order of insertion. */
export function orderOf(sort: TriageSort, list: TriageList): string {
  const arrival = `${arrivals[list]} desc, number desc`;
  if (sort === 'name') return 'name, number';
  if (sort === 'risk') return `risk_score is null, risk_score desc, ${arrival}`;
  if (sort === 'changed') return `changed_ms is null, changed_ms desc, ${arrival}`;
  return arrival;
}
