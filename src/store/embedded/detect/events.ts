/** Events in the order in which they became durable: ids are assigned within write transactions, which run one after another. */
import {
  type DomainState,
  type EventKind,
  eventKinds,
  type WatchlistEvent,
} from '../../../model/detect/watchlist.ts';
import type { Database } from '../database.ts';

interface EventRow {
  readonly number: number;
  readonly kind: EventKind;
  readonly at_ms: number;
  readonly domain_id: string;
  readonly domain: string;
  readonly monitor_ids: string;
  readonly detail: string;
}

export interface EventSubject {
  readonly number: number;
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly state: DomainState;
}

export class Events {
  readonly #insert;
  readonly #page;
  readonly #last;
  readonly #prune;

  constructor(database: Database) {
    this.#insert = database.prepare(
      `insert into event (account, kind, at_ms, domain_id, domain, monitor_ids, detail)
       values (:account, :kind, :atMs, :id, :name, (
         select json_group_array(id) from (
           select monitor.id from monitor_match join monitor on monitor.number = monitor
           where domain = :number and named = 1 and deleted = 0 order by monitor)
       ), :detail)`,
    );
    this.#page = database.prepare(
      'select * from event where account = ? and kind = ? and number > ? order by number limit ?',
    );
    this.#last = database.prepare('select max(number) from event where account = ? and kind = ?').pluck();
    this.#prune = database.prepare(
      'delete from event where number in (select number from event where at_ms < ? limit ?)',
    );
  }

  /** Ignored domains have no events. */
  append(kind: EventKind, subject: EventSubject, atMs: number, detail: WatchlistEvent['detail'] = {}): void {
    const { number, id, account, name, state } = subject;
    if (state === 'ignored') return;
    this.#insert.run({ account, kind, atMs, id, name, number, detail: JSON.stringify(detail) });
  }

  /** Queries each kind separately: each query is an index scan of at most `limit` rows. */
  list(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): readonly WatchlistEvent[] {
    const { afterId, limit, kinds = eventKinds } = page;
    const rows = [...new Set(kinds)].flatMap(
      (kind) => this.#page.all(accountId, kind, afterId, limit) as EventRow[],
    );
    return rows
      .sort((one, other) => one.number - other.number)
      .slice(0, limit)
      .map(eventOf);
  }

  lastId(accountId: string): number {
    return Math.max(...eventKinds.map((kind) => (this.#last.get(accountId, kind) as number | null) ?? 0));
  }

  /** True if there are more. */
  prune(beforeMs: number, limit: number): boolean {
    return this.#prune.run(beforeMs, limit).changes === limit;
  }
}

function eventOf(row: EventRow): WatchlistEvent {
  return {
    id: row.number,
    kind: row.kind,
    atMs: row.at_ms,
    domainId: row.domain_id,
    domain: row.domain,
    monitorIds: JSON.parse(row.monitor_ids),
    detail: JSON.parse(row.detail),
  };
}
