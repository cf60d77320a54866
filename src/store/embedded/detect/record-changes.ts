/** Applies changed records to every account that has the domain on a list. */
import type { FactRow } from '../../detect/rows/domain-rows.ts';
import { recordEvents } from '../../detect/rows/record-events.ts';
import type { RecordChange } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';
import { type EventSubject, Events } from './events.ts';
import { factColumns } from './fact-columns.ts';
import { ListMembership } from './list-membership.ts';

type DomainRow = EventSubject & FactRow & { readonly listed: number };

export class RecordChanges {
  readonly #events: Events;
  readonly #membership: ListMembership;
  readonly #find;
  readonly #putFacts;
  readonly #putChange;

  constructor(database: Database) {
    this.#events = new Events(database);
    this.#membership = new ListMembership(database);
    this.#find = database.prepare('select * from domain where name = ? and matched = 1');
    this.#putFacts = database.prepare(
      `update domain set active = :active, mx_exists = :mxExists, name_servers = :nameServers,
         risk_score = :riskScore, risk_status = :riskStatus, risk_components = :riskComponents, shared = :shared
       where number = :number`,
    );
    this.#putChange = database.prepare(
      `update domain set changed_fields = iif(:atMs >= ifnull(changed_ms, :atMs), :fields, changed_fields),
         changed_ms = max(ifnull(changed_ms, :atMs), :atMs) where number = :number`,
    );
  }

  apply(change: RecordChange, nowMs: number): void {
    for (const row of this.#find.all(change.domain) as DomainRow[]) this.#applyTo(row, change, nowMs);
  }

  #applyTo(row: DomainRow, change: RecordChange, nowMs: number): void {
    const { facts, changed } = change;
    const columns = factColumns(facts);
    this.#putFacts.run({ ...columns, number: row.number });
    // Exclusions depend on name servers, and list membership depends on exclusions.
    const isListed =
      columns.nameServers === row.name_servers
        ? row.listed === 1
        : this.#membership.update(row.number, nowMs);
    if (changed) {
      const fields = JSON.stringify(changed.fields);
      this.#putChange.run({ number: row.number, atMs: changed.atMs, fields });
    }
    for (const { kind, atMs, detail } of recordEvents(row, change, isListed, nowMs))
      this.#events.append(kind, row, atMs, detail);
  }
}
