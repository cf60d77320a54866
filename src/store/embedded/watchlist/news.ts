/** What records say now, taken over for every account that has the domain. */
import type { DomainNews } from '../../watchlist-store.ts';
import type { Database } from '../database.ts';
import { type EventSubject, Events } from './events.ts';
import { type FactRow, factColumns } from './fact-columns.ts';
import { Standing } from './standing.ts';

type NewsRow = EventSubject & FactRow & { readonly listed: number };

export class News {
  readonly #events: Events;
  readonly #standing: Standing;
  readonly #find;
  readonly #putFacts;
  readonly #putChange;

  constructor(database: Database) {
    this.#events = new Events(database);
    this.#standing = new Standing(database);
    this.#find = database.prepare('select * from domain where name = ?');
    this.#putFacts = database.prepare(
      `update domain set active = :active, mx_exists = :mxExists, name_servers = :nameServers,
         risk_score = :riskScore, risk_status = :riskStatus, risk_components = :riskComponents
       where number = :number`,
    );
    this.#putChange = database.prepare(
      'update domain set changed_ms = max(ifnull(changed_ms, :atMs), :atMs) where number = :number',
    );
  }

  take(news: DomainNews, nowMs: number): void {
    for (const row of this.#find.all(news.domain) as NewsRow[]) this.#takeFor(row, news, nowMs);
  }

  #takeFor(row: NewsRow, { facts, changed }: DomainNews, nowMs: number): void {
    const columns = factColumns(facts);
    this.#putFacts.run({ ...columns, number: row.number });
    // Name servers decide about exclusions, and so about lists.
    const isListed =
      columns.nameServers === row.name_servers ? row.listed === 1 : this.#standing.settle(row.number, nowMs);
    if (changed && row.state === 'watched') {
      this.#putChange.run({ number: row.number, atMs: changed.atMs });
      this.#events.append('changed', row, changed.atMs, { fields: changed.fields });
    }
    if (isListed && facts.riskStatus === 'full' && row.risk_status !== 'full') {
      this.#events.append('risk-full', row, nowMs, { riskScore: facts.riskScore });
    }
  }
}
