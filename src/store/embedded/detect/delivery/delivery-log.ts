/** The latest deliveries of each subscription. Functions that write must be called within a write transaction. */
import type { Delivery, DeliveryAttempt } from '../../../../model/detect/delivery.ts';
import {
  type DeliveryRow,
  deliveriesMax,
  deliveryOf,
  rowOfAttempt,
} from '../../../detect/rows/delivery-rows.ts';
import type { Database } from '../../database.ts';

export class DeliveryLog {
  readonly #newest;
  readonly #list;
  readonly #put;
  readonly #trim;
  readonly #accepted;

  constructor(database: Database) {
    this.#newest = database.prepare(
      'select * from delivery where subscription = ? order by number desc limit 1',
    );
    this.#list = database.prepare(
      'select * from delivery where subscription = ? order by number desc limit ?',
    );
    this.#put = database.prepare(
      `insert into delivery values (:subscription, :number, :kind, :status, :first_event, :last_event, :events, :attempts,
         :first_ms, :last_ms, :error)
       on conflict do update set status = :status, last_event = :last_event, events = :events, attempts = :attempts,
         last_ms = :last_ms, error = :error`,
    );
    this.#trim = database.prepare('delete from delivery where subscription = ? and number <= ?');
    this.#accepted = database.prepare('update subscription set delivered_ms = ? where number = ?');
  }

  record(subscription: number, attempt: DeliveryAttempt): Delivery {
    const row = rowOfAttempt(attempt, this.#newest.get(subscription) as DeliveryRow | undefined);
    this.#put.run({ subscription, ...row });
    this.#trim.run(subscription, row.number - deliveriesMax);
    if (attempt.error === undefined) this.#accepted.run(attempt.atMs, subscription);
    return deliveryOf(row);
  }

  /** Newest first. */
  list(subscription: number): readonly Delivery[] {
    return (this.#list.all(subscription, deliveriesMax) as DeliveryRow[]).map(deliveryOf);
  }
}
