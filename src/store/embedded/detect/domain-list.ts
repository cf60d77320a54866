/** Lists of domains: filters as SQL conditions, an exact total, and pages of row numbers, whose rows are then read. */
import type { WatchlistDomain } from '../../../model/detect/watchlist.ts';
import type { ListSnapshot } from '../../detect/rows/list-snapshot.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { DomainQuery, DomainSort } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';
import { isSighted } from '../sighting/sighting-rows.ts';
import { DomainRows } from './domain-rows.ts';
import { ListSnapshots } from './list-snapshots.ts';
import { Monitors } from './monitors.ts';

type Value = string | number;

interface DomainPage {
  readonly total: number;
  readonly domains: readonly WatchlistDomain[];
}

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Unknown values are last in both directions. */
const sortColumns: Readonly<Record<DomainSort, readonly [column: string, mayBeUnknown: boolean]>> = {
  discovered_date: ['discovered_ms', false],
  changed_date: ['changed_ms', true],
  risk_score: ['risk_score', true],
};

export class DomainList {
  readonly #database: Database;
  readonly #monitors: Monitors;
  readonly #rows: DomainRows;
  readonly #snapshots: ListSnapshots;

  constructor(database: Database) {
    this.#database = database;
    this.#monitors = new Monitors(database);
    this.#rows = new DomainRows(database);
    this.#snapshots = new ListSnapshots(database);
  }

  list(accountId: string, query: DomainQuery): DomainPage | 'unknown-monitor' {
    const selected = this.#select(accountId, query, query);
    if (selected === 'unknown-monitor') return selected;
    return { total: selected.total, domains: this.#read(accountId, selected.rows) };
  }

  /** A page of the list as it was when its first page was requested. */
  async listPage(
    accountId: string,
    query: DomainQuery,
    paging: ListPaging,
  ): Promise<DomainPage | 'unknown-monitor'> {
    const { state, offset, limit } = query;
    const known = paging.isFirstPage ? undefined : this.#snapshots.find(accountId, state, paging, query);
    if (known) return { total: known.total, domains: this.#read(accountId, known.rows) };
    const selected = this.#select(accountId, query, { offset: 0, limit: paging.rowsMax });
    if (selected === 'unknown-monitor') return selected;
    await this.#snapshots.save(accountId, state, paging, { ...selected, limit });
    const rows = selected.rows.slice(offset, offset + limit);
    return { total: selected.total, domains: this.#read(accountId, rows) };
  }

  #read(accountId: string, rows: readonly number[]): readonly WatchlistDomain[] {
    return this.#database.transaction(() => this.#rows.list(accountId, rows))();
  }

  #select(
    accountId: string,
    query: DomainQuery,
    { offset, limit }: Pick<DomainQuery, 'offset' | 'limit'>,
  ): ListSnapshot | 'unknown-monitor' {
    // Total and rows come from one state of the database.
    return this.#database.transaction(() => {
      const monitor =
        query.monitorId === undefined ? undefined : this.#monitors.findNumber(accountId, query.monitorId);
      if (query.monitorId !== undefined && monitor === undefined) return 'unknown-monitor';
      const conditions = conditionsOf(accountId, query, monitor);
      const where = conditions.map(({ sql }) => sql).join(' and ');
      const values = conditions.flatMap((condition) => condition.values);
      const count = this.#database.prepare(`select count(*) from domain where ${where}`).pluck();
      const page = this.#database
        .prepare(`select number from domain where ${where} order by ${orderOf(query)} limit ? offset ?`)
        .pluck();
      const rows = page.all(...values, limit, offset) as number[];
      return { total: count.get(...values) as number, rows };
    })();
  }
}

function conditionsOf(accountId: string, query: DomainQuery, monitor: number | undefined): Condition[] {
  const conditions: Condition[] = [
    { sql: 'account = ? and state = ? and listed = 1', values: [accountId, query.state] },
  ];
  const add = (sql: string, ...values: readonly (Value | undefined)[]) => {
    const given = values.filter((value) => value !== undefined);
    if (given.length === values.length) conditions.push({ sql, values: given });
  };
  add('discovered_ms >= ?', query.discoveredSinceMs);
  add('discovered_ms < ?', query.discoveredBeforeMs);
  add('changed_ms >= ?', query.changedSinceMs);
  add('changed_ms < ?', query.changedBeforeMs);
  add('escalated_ms >= ?', query.escalatedSinceMs);
  add('mx_exists = ?', flag(query.mxExists));
  add('active = ?', flag(query.active));
  add(`${isSighted} = ?`, flag(query.resolvedByUs));
  add('number in (select domain from monitor_match where monitor = ? and named = 1)', monitor);
  // `uk` includes `co.uk`, as in searches of domain records.
  add(
    `exists (select 1 from json_each(?) where tld = value or substr(tld, -length(value) - 1) = '.' || value)`,
    list(query.tlds),
  );
  add(
    `exists (select 1 from escalation
       where escalation.domain = domain.number and type in (select value from json_each(?)))`,
    list(query.escalationTypes),
  );
  add(
    `exists (select 1 from json_each(?) where risk_score between value ->> 0 and value ->> 1)`,
    list(query.riskRanges),
  );
  add('(instr(name, ?) > 0 or instr(unicode, ?) > 0)', query.search, query.search);
  return conditions;
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function list(values: readonly unknown[] | undefined): string | undefined {
  return values && JSON.stringify(values);
}

/** Ties are broken by order of insertion. */
function orderOf({ sort, descending }: DomainQuery): string {
  const direction = descending ? 'desc' : 'asc';
  const keys = sort.flatMap((key) => {
    const [column, mayBeUnknown] = sortColumns[key];
    return mayBeUnknown ? [`${column} is null`, `${column} ${direction}`] : [`${column} ${direction}`];
  });
  return [...keys, `number ${direction}`].join(', ');
}
