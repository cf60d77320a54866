/** Subscriptions, the last event delivered to each, and the leases of deliveries. */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import type { Delivery, DeliveryAttempt } from '../../../model/detect/delivery.ts';
import type { Subscription, WatchlistId } from '../../../model/detect/watchlist.ts';
import {
  changedSubscription,
  deliveryWaitMsMax,
  type SubscriptionRow,
  subscriptionOf,
} from '../../detect/rows/subscription-rows.ts';
import type { DeliveryOutcome, NewSubscription, SubscriptionChange } from '../../event-store.ts';
import type { Database } from '../database.ts';
import { DeliveryLog } from './delivery/delivery-log.ts';
import { Events } from './events.ts';
import { uniqueIds } from './unique-ids.ts';

/** With the names that columns have elsewhere. */
const columns = '*, account as account_id, told_id as delivered_id';

export class Subscriptions {
  readonly #events: Events;
  readonly #log: DeliveryLog;
  readonly #newId: () => string;
  readonly #insert;
  readonly #find;
  readonly #ofAccount;
  readonly #list;
  readonly #update;
  readonly #remove;
  readonly #anyActive;
  readonly #due;
  readonly #lease;
  readonly #setOutcome;

  constructor(database: Database) {
    this.#events = new Events(database);
    this.#log = new DeliveryLog(database);
    this.#newId = uniqueIds(database, 'subscription');
    this.#insert = database.prepare(
      `insert into subscription
         (id, account, means, target, events, every, seed, created_by, created_ms, told_id, next_ms,
          schedule, format, options)
       values
         (:id, :account, :by, :target, :events, :every, :seed, :createdBy, :createdMs, :deliveredId, :nextMs,
          :schedule, :format, :options)`,
    );
    this.#find = database.prepare(`select ${columns} from subscription where id = ?`);
    this.#ofAccount = database.prepare(`select ${columns} from subscription where account = ? and id = ?`);
    this.#update = database.prepare(
      `update subscription set events = :events, every = :every, schedule = :schedule, paused_ms = :pausedMs,
         paused_by = :pausedBy, told_id = max(told_id, :deliveredId), next_ms = :nextMs where number = :number`,
    );
    this.#list = database.prepare(`select ${columns} from subscription where account = ? order by number`);
    this.#remove = database.prepare('delete from subscription where account = ? and id = ?');
    this.#anyActive = database
      .prepare('select exists (select 1 from subscription where paused_ms is null)')
      .pluck();
    this.#due = database.prepare(
      `select ${columns} from subscription
       where paused_ms is null and (next_ms <= :nowMs or next_ms > :nowMs + ${deliveryWaitMsMax})
         and ifnull(held_until_ms <= :nowMs or held_until_ms > :untilMs + ${reorderingMs}, 1) and exists (
         select 1 from json_each(events) as wanted join event
         on event.account = subscription.account and event.kind = wanted.value and event.number > told_id)
       order by next_ms, number limit :limit`,
    );
    this.#lease = database.prepare('update subscription set held_until_ms = ? where number = ?');
    this.#setOutcome = database.prepare(
      `update subscription set told_id = max(told_id, :deliveredId), failures = :failures, error = :error,
         next_ms = :nextMs, held_until_ms = null where id = :id`,
    );
  }

  create(accountId: string, subscription: NewSubscription): Subscription {
    const id = this.#newId();
    this.#insert.run({
      ...subscription,
      events: JSON.stringify(subscription.events),
      id,
      account: accountId,
      deliveredId: this.#events.lastId(accountId),
      schedule: subscription.schedule ? JSON.stringify(subscription.schedule) : null,
      format: subscription.format ?? 'nameglass',
      options: JSON.stringify(subscription.options ?? {}),
    });
    return subscriptionOf(this.#find.get(id) as SubscriptionRow);
  }

  delete(accountId: string, id: WatchlistId): boolean {
    return this.#remove.run(accountId, id).changes > 0;
  }

  list(accountId: string): readonly Subscription[] {
    return (this.#list.all(accountId) as SubscriptionRow[]).map(subscriptionOf);
  }

  find(accountId: string, id: WatchlistId): Subscription | undefined {
    const row = this.#findRow(accountId, id);
    return row && subscriptionOf(row);
  }

  update(
    accountId: string,
    id: WatchlistId,
    change: SubscriptionChange,
    by: { readonly username: string; readonly atMs: number },
  ): Subscription | undefined {
    const row = this.#findRow(accountId, id);
    if (!row) return undefined;
    const { events, ...changed } = changedSubscription(row, change, by);
    this.#update.run({
      number: row.number,
      ...changed,
      events: JSON.stringify(events),
      deliveredId: change.skip ? this.#events.lastId(accountId) : row.delivered_id,
    });
    return this.find(accountId, id);
  }

  recordDelivery(accountId: string, id: WatchlistId, attempt: DeliveryAttempt): Delivery | undefined {
    const row = this.#findRow(accountId, id);
    return row && this.#log.record(row.number, attempt);
  }

  listDeliveries(accountId: string, id: WatchlistId): readonly Delivery[] {
    const row = this.#findRow(accountId, id);
    return row ? this.#log.list(row.number) : [];
  }

  /** Whether any may ever be due, which costs next to nothing to ask. */
  hasActive(): boolean {
    return this.#anyActive.get() === 1;
  }

  hasDue(nowMs: number, untilMs: number): boolean {
    return this.#due.get({ nowMs, untilMs, limit: 1 }) !== undefined;
  }

  lease(limit: number, nowMs: number, untilMs: number): readonly Subscription[] {
    const rows = this.#due.all({ nowMs, untilMs, limit }) as SubscriptionRow[];
    for (const { number } of rows) this.#lease.run(untilMs, number);
    return rows.map(subscriptionOf);
  }

  /** `deliveredId` never decreases, so that a late outcome does not cause a second delivery. */
  recordOutcome(id: WatchlistId, outcome: DeliveryOutcome): void {
    const { deliveredId, failures, error, nextMs, attempt } = outcome;
    this.#setOutcome.run({ id, deliveredId, failures, error: error ?? null, nextMs });
    // Deleted meanwhile, it has no log.
    const row = attempt && (this.#find.get(id) as SubscriptionRow | undefined);
    if (row) this.#log.record(row.number, attempt);
  }

  #findRow(accountId: string, id: WatchlistId): SubscriptionRow | undefined {
    return this.#ofAccount.get(accountId, id) as SubscriptionRow | undefined;
  }
}
