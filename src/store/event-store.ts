/**
 * Events of watchlists, and subscriptions to them by webhook or mail. Events are written by the other Detect stores, in the transaction
 * of the change that causes them. Every operation is scoped to one account unless it says otherwise; an id of another account is treated
 * as unknown.
 */
import type { EventKind, Subscription, WatchlistEvent, WatchlistId } from '../model/detect/watchlist.ts';

export type NewSubscription = Pick<
  Subscription,
  'by' | 'target' | 'events' | 'every' | 'seed' | 'createdBy' | 'createdMs' | 'nextMs'
>;

export interface DeliveryOutcome {
  /** The last event delivered. */
  readonly deliveredId: number;
  /** Consecutive failed attempts. */
  readonly failures: number;
  readonly error?: string;
  /** When the next delivery may be attempted. */
  readonly nextMs: number;
}

export interface EventStore {
  /** In ascending order of id, after the given id. Pruned events are missing. */
  listEvents(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): Promise<readonly WatchlistEvent[]>;

  /** The id of the account's latest event; 0 if there is none. */
  lastEventId(accountId: string): Promise<number>;

  /** Deletes events of all accounts older than the given time. Ids are never reused. */
  pruneEvents(beforeMs: number): Promise<void>;

  /** Earlier events are not delivered. */
  createSubscription(accountId: string, subscription: NewSubscription): Promise<Subscription>;

  /** False if the account has no such subscription. */
  deleteSubscription(accountId: string, id: WatchlistId): Promise<boolean>;

  listSubscriptions(accountId: string): Promise<readonly Subscription[]>;

  /** Subscriptions of all accounts that are due and have undelivered events, leased to the caller until `untilMs`. */
  leaseSubscriptions(limit: number, nowMs: number, untilMs: number): Promise<readonly Subscription[]>;

  /** Ends the lease. `deliveredId` never moves back, even if a delivery that lost its lease reports late. */
  recordDeliveryOutcome(id: WatchlistId, outcome: DeliveryOutcome): Promise<void>;
}
