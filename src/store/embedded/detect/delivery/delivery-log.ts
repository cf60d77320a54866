/** The latest deliveries of each subscription. Functions that write must be called within a write transaction. */
import type { Delivery, DeliveryAttempt } from '../../../../model/detect/delivery.ts';
import type { Database } from '../../database.ts';

/** Kept for each subscription. */
const deliveriesMax = 50;

interface DeliveryRow {
  readonly number: number;
  readonly kind: Delivery['kind'];
  readonly status: Delivery['status'];
  readonly first_event: number | null;
  readonly last_event: number | null;
  readonly events: number;
  readonly attempts: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly error: string | null;
}

export class DeliveryLog {
  readonly #newest;
  readonly #find;
  readonly #list;
  readonly #insert;
  readonly #repeat;
  readonly #trim;
  readonly #accepted;

  constructor(database: Database) {
    this.#newest = database.prepare(
      'select * from delivery where subscription = ? order by number desc limit 1',
    );
    this.#find = database.prepare('select * from delivery where subscription = ? and number = ?');
    this.#list = database.prepare(
      'select * from delivery where subscription = ? order by number desc limit ?',
    );
    this.#insert = database.prepare(
      `insert into delivery values (:subscription, :number, :kind, :status, :firstEvent, :lastEvent, :events, 1,
         :atMs, :atMs, :error)`,
    );
    this.#repeat = database.prepare(
      `update delivery set status = :status, last_event = :lastEvent, events = :events, attempts = attempts + 1,
         last_ms = :atMs, error = :error where subscription = :subscription and number = :number`,
    );
    this.#trim = database.prepare('delete from delivery where subscription = ? and number <= ?');
    this.#accepted = database.prepare('update subscription set delivered_ms = ? where number = ?');
  }

  /** A further attempt to deliver what failed last counts on that row: it begins with the same event, and may have more of them. */
  record(subscription: number, attempt: DeliveryAttempt): Delivery {
    const { kind, atMs, events, error } = attempt;
    const newest = this.#newest.get(subscription) as DeliveryRow | undefined;
    const isRepeated =
      kind === 'events' &&
      newest?.kind === 'events' &&
      newest.status === 'failed' &&
      newest.first_event === events?.firstId;
    const number = isRepeated ? newest.number : (newest?.number ?? 0) + 1;
    const row = {
      subscription,
      number,
      status: error === undefined ? 'delivered' : 'failed',
      lastEvent: events?.lastId ?? null,
      events: events?.count ?? 0,
      atMs,
      error: error ?? null,
    };
    if (isRepeated) this.#repeat.run(row);
    else this.#insert.run({ ...row, kind, firstEvent: events?.firstId ?? null });
    this.#trim.run(subscription, number - deliveriesMax);
    if (error === undefined) this.#accepted.run(atMs, subscription);
    return deliveryOf(this.#find.get(subscription, number) as DeliveryRow);
  }

  /** Newest first. */
  list(subscription: number): readonly Delivery[] {
    return (this.#list.all(subscription, deliveriesMax) as DeliveryRow[]).map(deliveryOf);
  }
}

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    number: row.number,
    kind: row.kind,
    status: row.status,
    events:
      row.first_event === null || row.last_event === null
        ? undefined
        : { firstId: row.first_event, lastId: row.last_event, count: row.events },
    attempts: row.attempts,
    firstMs: row.first_ms,
    lastMs: row.last_ms,
    error: row.error ?? undefined,
  };
}
