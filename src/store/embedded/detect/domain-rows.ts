/** Reads listed domains by row number: the row, the monitors it names with their match reasons, its escalations and its sightings. */
import type {
  Escalation,
  MonitorMatch,
  WatchlistDomain,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import { type DomainRow, domainOf } from '../../detect/rows/domain-rows.ts';
import { type EscalationRow, escalationOf } from '../../detect/rows/escalation-rows.ts';
import type { Database } from '../database.ts';
import { SightingRows } from '../sighting/sighting-rows.ts';

export class DomainRows {
  readonly #number;
  readonly #row;
  readonly #ofAccount;
  readonly #matches;
  readonly #escalations;
  readonly #sightings: SightingRows;

  constructor(database: Database) {
    this.#number = database
      .prepare('select number from domain where account = ? and id = ? and matched = 1')
      .pluck();
    this.#row = database.prepare('select * from domain where number = ?');
    this.#ofAccount = database.prepare('select number from domain where number = ? and account = ?').pluck();
    this.#matches = database.prepare(
      `select monitor.id as monitorId, reason from monitor_match join monitor on number = monitor
       where domain = ? and named = 1 and deleted = 0 order by monitor`,
    );
    this.#escalations = database.prepare(
      `select escalation.*, escalation.account as account_id, domain.id as domain_id from escalation join domain on domain.number = domain
       where domain = ? order by escalation.number`,
    );
    this.#sightings = new SightingRows(database);
  }

  /** Undefined also for a domain that no monitor matches any more. */
  findNumber(accountId: string, id: WatchlistId): number | undefined {
    return this.#number.get(accountId, id) as number | undefined;
  }

  /** Those of the numbers that are domains of the account, in the same order. */
  list(accountId: string, numbers: readonly number[]): readonly WatchlistDomain[] {
    return numbers
      .filter((number) => this.#ofAccount.get(number, accountId) !== undefined)
      .map((number) => this.get(number));
  }

  get(number: number): WatchlistDomain {
    const row = this.#row.get(number) as DomainRow;
    const found = this.#matches.all(number) as { monitorId: string; reason: string }[];
    const matches = found.map(
      ({ monitorId, reason }): MonitorMatch => ({ monitorId, reason: JSON.parse(reason) }),
    );
    const sightings = this.#sightings.ofDomain(row.name);
    return domainOf(row, { matches, escalations: this.#escalationsOf(number), sightings });
  }

  #escalationsOf(number: number): readonly Escalation[] {
    return (this.#escalations.all(number) as EscalationRow[]).map(escalationOf);
  }
}
