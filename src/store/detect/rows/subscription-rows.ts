/** Rows of subscriptions, and what a change makes of them. */
import type { EventKind, Subscription } from '../../../model/detect/watchlist.ts';
import { dayMs } from '../../../model/durations.ts';
import type { SubscriptionChange } from '../../event-store.ts';
import { parsed, type StoredJson } from './stored-json.ts';

/** A later time was set by a clock that was ahead, and counts as past: no delivery waits longer. Likewise a lease longer than a new one. */
export const deliveryWaitMsMax = dayMs;

export interface SubscriptionRow {
  readonly number: number;
  readonly id: string;
  readonly account_id: string;
  readonly means: Subscription['by'];
  readonly target: string;
  readonly events: StoredJson<readonly EventKind[]>;
  readonly every: Subscription['every'];
  readonly seed: string;
  readonly created_by: string;
  readonly created_ms: number;
  readonly delivered_id: number;
  readonly failures: number;
  readonly error: string | null;
  readonly next_ms: number;
  readonly schedule: string | null;
  readonly paused_ms: number | null;
  readonly paused_by: string | null;
  readonly delivered_ms: number | null;
  readonly format: Subscription['format'];
  readonly options: string;
}

export function subscriptionOf(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    accountId: row.account_id,
    by: row.means,
    target: row.target,
    events: parsed(row.events),
    every: row.every,
    seed: row.seed,
    createdBy: row.created_by,
    createdMs: row.created_ms,
    deliveredId: row.delivered_id,
    failures: row.failures,
    error: row.error ?? undefined,
    nextMs: row.next_ms,
    schedule: row.schedule === null ? undefined : JSON.parse(row.schedule),
    paused: row.paused_ms === null ? undefined : { by: row.paused_by ?? '', atMs: row.paused_ms },
    deliveredMs: row.delivered_ms ?? undefined,
    format: row.format,
    options: JSON.parse(row.options),
  };
}

/** The columns that a change sets, besides the last event delivered. */
export function changedSubscription(
  row: SubscriptionRow,
  change: SubscriptionChange,
  by: { readonly username: string; readonly atMs: number },
) {
  const { events, every = row.every, schedule, paused = row.paused_ms !== null } = change;
  const isPausedNow = paused && row.paused_ms === null;
  return {
    events: events ?? parsed(row.events),
    every,
    schedule: schedule === undefined ? row.schedule : schedule && JSON.stringify(schedule),
    pausedMs: isPausedNow ? by.atMs : paused ? row.paused_ms : null,
    pausedBy: isPausedNow ? by.username : paused ? row.paused_by : null,
    nextMs: by.atMs,
  };
}
