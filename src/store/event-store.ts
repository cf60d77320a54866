/**
 * Events of watchlists, and subscriptions to them by webhook, mail or syslog. Events are written by the other Detect stores, in the transaction
 * of the change that causes them. Every operation is scoped to one account unless it says otherwise; an id of another account is treated
 * as unknown.
 */
import type { Delivery, DeliveryAttempt } from '../model/detect/delivery.ts';
import type { DigestSchedule } from '../model/detect/digest-schedule.ts';
import type {
  DecisionEvent,
  EventKind,
  Subscription,
  WatchlistEvent,
  WatchlistId,
} from '../model/detect/watchlist.ts';
import type { ChangeSignals } from './growth/change-signals.ts';

export type NewSubscription = Pick<
  Subscription,
  'by' | 'target' | 'events' | 'every' | 'seed' | 'createdBy' | 'createdMs' | 'nextMs'
> &
  Partial<Pick<Subscription, 'schedule' | 'format' | 'options'>>;

/** Members that are absent stay as they are. A changed subscription is due immediately. */
export interface SubscriptionChange {
  readonly events?: readonly EventKind[];
  readonly every?: 'hour' | 'day';
  /** Null: none. */
  readonly schedule?: DigestSchedule | null;
  readonly paused?: boolean;
  /** Events that are not delivered yet never will be. */
  readonly skip?: boolean;
}

export interface DeliveryOutcome {
  /** The last event delivered. */
  readonly deliveredId: number;
  /** Consecutive failed attempts. */
  readonly failures: number;
  readonly error?: string;
  /** When the next delivery may be attempted. */
  readonly nextMs: number;
  /** What was attempted, for the log; absent if nothing was. */
  readonly attempt?: DeliveryAttempt;
}

export interface EventStore {
  /** In ascending order of id, after the given id. Pruned events are missing. */
  listEvents(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): Promise<readonly WatchlistEvent[]>;

  /** The same, of all kinds, with decisions and their undoing. */
  listAllEvents(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number },
  ): Promise<readonly (WatchlistEvent | DecisionEvent)[]>;

  /** The id of the account's latest event of any kind; 0 if there is none. */
  lastEventId(accountId: string): Promise<number>;

  /** Accounts that have new events. Absent where readers have to ask. */
  readonly growth?: ChangeSignals;

  /** How many `listEvents` would return after the id, counted up to the limit. */
  countEvents(
    accountId: string,
    page: { readonly afterId: number; readonly limit: number; readonly kinds?: readonly EventKind[] },
  ): Promise<number>;

  /** Deletes events of all accounts older than the given time. Ids are never reused. */
  pruneEvents(beforeMs: number): Promise<void>;

  /** Earlier events are not delivered. */
  createSubscription(accountId: string, subscription: NewSubscription): Promise<Subscription>;

  /** False if the account has no such subscription. */
  deleteSubscription(accountId: string, id: WatchlistId): Promise<boolean>;

  listSubscriptions(accountId: string): Promise<readonly Subscription[]>;

  findSubscription(accountId: string, id: WatchlistId): Promise<Subscription | undefined>;

  /** Undefined if the account has no such subscription. */
  updateSubscription(
    accountId: string,
    id: WatchlistId,
    change: SubscriptionChange,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<Subscription | undefined>;

  /** Subscriptions of all accounts that are due, not paused, and have undelivered events, leased to the caller until `untilMs`. */
  leaseSubscriptions(limit: number, nowMs: number, untilMs: number): Promise<readonly Subscription[]>;

  /** Ends the lease and logs the attempt. `deliveredId` never moves back, even if a delivery that lost its lease reports late. */
  recordDeliveryOutcome(id: WatchlistId, outcome: DeliveryOutcome): Promise<void>;

  /** Logs a test or a replay. Undefined if the account has no such subscription. */
  recordDelivery(accountId: string, id: WatchlistId, attempt: DeliveryAttempt): Promise<Delivery | undefined>;

  /** The latest deliveries of a subscription, newest first; attempts to deliver the same events are one. */
  listDeliveries(accountId: string, id: WatchlistId): Promise<readonly Delivery[]>;
}
