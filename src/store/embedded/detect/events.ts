/** Events in the order in which they became durable: ids are assigned within write transactions, which run one after another. */
import {
  type DecisionEvent,
  type DecisionEventKind,
  type DomainState,
  type EscalationType,
  type EventKind,
  eventKinds,
  type WatchlistEvent,
} from '../../../model/detect/watchlist.ts';
import {
  type AnyEventKind,
  allEventKinds,
  anyEventOf,
  type DecisionDetail,
  type EventRow,
  eventOf,
} from '../../detect/rows/event-rows.ts';
import type { Database } from '../database.ts';

export interface EventSubject {
  readonly number: number;
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly state: DomainState;
}

export class Events {
  readonly #insert;
  readonly #insertDecision;
  readonly #setWithdraws;
  readonly #setWithdrawn;
  readonly #page;
  readonly #count;
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
    this.#insertDecision = database.prepare(
      `insert into event (account, kind, at_ms, domain_id, domain, monitor_ids, detail)
       values (:account, :kind, :atMs, '', '', '[]', :detail)`,
    );
    this.#setWithdraws = database.prepare('update event set withdraws = ? where number = ?');
    this.#setWithdrawn = database.prepare('update event set withdrawn_by = ? where number = ?');
    this.#page = database.prepare(
      'select * from event where account = ? and kind = ? and number > ? order by number limit ?',
    );
    this.#count = database
      .prepare(
        'select count(*) from (select 1 from event where account = ? and kind = ? and number > ? limit ?)',
      )
      .pluck();
    this.#last = database.prepare('select max(number) from event where account = ? and kind = ?').pluck();
    this.#prune = database.prepare(
      'delete from event where number in (select number from event where at_ms < ? limit ?)',
    );
  }

  /** Ignored domains have no events but that somebody resolved them. Returns the id of the event. */
  append(
    kind: EventKind,
    subject: EventSubject,
    atMs: number,
    detail: WatchlistEvent['detail'] = {},
  ): number | undefined {
    const { number, id, account, name, state } = subject;
    if (state === 'ignored' && kind !== 'resolved') return undefined;
    const values = { account, kind, atMs, id, name, number, detail: JSON.stringify(detail) };
    return Number(this.#insert.run(values).lastInsertRowid);
  }

  /** An escalation was undone: its own event is marked, so that what is not sent yet can leave it out. */
  appendWithdrawal(
    subject: EventSubject,
    atMs: number,
    { type, event = 0 }: { readonly type: EscalationType; readonly event: number | undefined },
  ): void {
    const number = this.append('withdrawn', subject, atMs, { type });
    if (number === undefined) return;
    this.#setWithdraws.run(event, number);
    this.#setWithdrawn.run(number, event);
  }

  appendDecision(kind: DecisionEventKind, accountId: string, atMs: number, detail: DecisionDetail): void {
    this.#insertDecision.run({ account: accountId, kind, atMs, detail: JSON.stringify(detail) });
  }

  /** Queries each kind separately: each query is an index scan of at most `limit` rows. */
  list(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): readonly WatchlistEvent[] {
    return this.#rows(accountId, page, page.kinds ?? eventKinds).map(eventOf);
  }

  /** Of all kinds. */
  listAll(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number },
  ): readonly (WatchlistEvent | DecisionEvent)[] {
    return this.#rows(accountId, page, allEventKinds).map(anyEventOf);
  }

  #rows(
    accountId: string,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
    kinds: readonly AnyEventKind[],
  ): readonly EventRow[] {
    return [...new Set(kinds)]
      .flatMap((kind) => this.#page.all(accountId, kind, afterId, limit) as EventRow[])
      .sort((one, other) => one.number - other.number)
      .slice(0, limit);
  }

  /** Up to the limit. */
  count(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): number {
    const { afterId, limit, kinds = eventKinds } = page;
    let count = 0;
    for (const kind of new Set(kinds))
      count += this.#count.get(accountId, kind, afterId, limit - count) as number;
    return count;
  }

  lastId(accountId: string): number {
    return Math.max(...allEventKinds.map((kind) => (this.#last.get(accountId, kind) as number | null) ?? 0));
  }

  /** True if there are more. */
  prune(beforeMs: number, limit: number): boolean {
    return this.#prune.run(beforeMs, limit).changes === limit;
  }
}
