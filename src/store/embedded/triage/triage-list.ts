/** Pages of lists, and single domains, with what people added to them. */
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { ListPaging } from '../../paging/list-paging.ts';
import type { TriageDomain, TriageList, TriagePage, TriageQuery } from '../../triage-store.ts';
import type { Database } from '../database.ts';
import { DomainRows } from '../detect/domain-rows.ts';
import { ListSnapshots } from '../detect/list-snapshots.ts';
import { arrivals } from './triage-conditions.ts';
import { orderOf, TriageSelection, type Where } from './triage-selection.ts';

interface AddedRow {
  readonly assignee: string | null;
  readonly changed_fields: string;
  readonly notes: number;
  readonly arrived_ms: number | null;
}

const lists = Object.keys(arrivals) as readonly TriageList[];

export class TriageLists {
  readonly #database: Database;
  readonly #selection: TriageSelection;
  readonly #snapshots: ListSnapshots;
  readonly #rows: DomainRows;
  readonly #find;
  readonly #ofAccount;
  readonly #added;

  constructor(database: Database) {
    this.#database = database;
    this.#selection = new TriageSelection(database);
    this.#snapshots = new ListSnapshots(database);
    this.#rows = new DomainRows(database);
    this.#find = database
      .prepare(
        `select number from domain where account = ? and id = ? and (matched = 1 or exists (
           select 1 from escalation where escalation.domain = domain.number and type = 'blocked'))`,
      )
      .pluck();
    this.#ofAccount = database.prepare('select 1 from domain where number = ? and account = ?').pluck();
    const added = (list: TriageList) =>
      database.prepare(
        `select assignee, changed_fields, ${arrivals[list]} as arrived_ms,
           (select count(*) from note where note.domain = domain.number) +
           (select count(*) from decided_domain join decision on decision.number = decision
             where decided_domain.domain = domain.number and note is not null) as notes
         from domain where number = ?`,
      );
    this.#added = new Map(lists.map((list) => [list, added(list)]));
  }

  async list(
    accountId: string,
    query: TriageQuery,
    paging: ListPaging,
  ): Promise<TriagePage | 'unknown-monitor'> {
    const where = this.#selection.where(accountId, query);
    if (where === 'unknown-monitor') return where;
    const { list, offset, limit } = query;
    // A person reads several lists, each in its own order; those of other people do not crowd them out.
    const snapshotList = `triage ${paging.username}` as const;
    const known = paging.isFirstPage
      ? undefined
      : this.#snapshots.find(accountId, snapshotList, paging, query);
    const arrivedSinceRead = this.#countArrived(where, list, query.readMs);
    if (known)
      return { total: known.total, arrivedSinceRead, domains: this.#read(accountId, known.rows, list) };
    const order = orderOf(query.sort, list);
    const rows = this.#selection.rows(where, order, paging.rowsMax);
    const total = rows.length < paging.rowsMax ? rows.length : this.#selection.count(where);
    await this.#snapshots.save(accountId, snapshotList, paging, { total, rows, limit });
    const page = rows.slice(offset, offset + limit);
    return { total, arrivedSinceRead, domains: this.#read(accountId, page, list) };
  }

  find(accountId: string, id: WatchlistId): TriageDomain | undefined {
    const number = this.#find.get(accountId, id) as number | undefined;
    return number === undefined ? undefined : this.#domainOf(number, 'new');
  }

  countArrivedSince(accountId: string, list: TriageList, sinceMs: number): number {
    const where = this.#selection.where(accountId, { list }) as Where;
    return this.#countArrived(where, list, sinceMs);
  }

  #countArrived({ sql, values }: Where, list: TriageList, sinceMs: number): number {
    return this.#selection.count({ sql: `${sql} and ${arrivals[list]} > ?`, values: [...values, sinceMs] });
  }

  #read(accountId: string, rows: readonly number[], list: TriageList): readonly TriageDomain[] {
    return this.#database.transaction(() =>
      rows
        .filter((number) => this.#ofAccount.get(number, accountId) !== undefined)
        .map((number) => this.#domainOf(number, list)),
    )();
  }

  #domainOf(number: number, list: TriageList): TriageDomain {
    const domain = this.#rows.get(number);
    const added = this.#added.get(list)?.get(number) as AddedRow;
    return {
      ...domain,
      assignee: added.assignee ?? undefined,
      notes: added.notes,
      changedFields: JSON.parse(added.changed_fields),
      arrivedMs: added.arrived_ms ?? domain.discoveredMs,
    };
  }
}
