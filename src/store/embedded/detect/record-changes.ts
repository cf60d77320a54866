/** Applies changed records to every account that has the domain on a list. */
import type { RecordChange } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';
import { type EventSubject, Events } from './events.ts';
import { type FactRow, factColumns } from './fact-columns.ts';
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

  #applyTo(row: DomainRow, { facts, changed }: RecordChange, nowMs: number): void {
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
    if (changed && row.state === 'watched') {
      this.#events.append('changed', row, changed.atMs, { fields: changed.fields });
    }
    if (isListed && facts.riskStatus === 'full' && row.risk_status !== 'full') {
      this.#events.append('risk-full', row, nowMs, { riskScore: facts.riskScore });
    }
  }
}
