/** Subscriptions and deliveries as the web UI reads them. */
import type { Clock } from '../../../model/clock.ts';
import type { Delivery } from '../../../model/detect/delivery.ts';
import type { Subscription } from '../../../model/detect/watchlist.ts';
import { dayMs } from '../../../model/durations.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { digestTimeMs } from '../../../product/detect/send-digest.ts';
import type { EventStore } from '../../../store/event-store.ts';
import type { DeliveryView, SubscriptionView } from './alert-wire.ts';

/** Counted up to this. */
const waitingMax = 1000;

export async function subscriptionView(
  subscription: Subscription,
  { events, clock }: { readonly events: Pick<EventStore, 'countEvents'>; readonly clock: Clock },
): Promise<SubscriptionView> {
  const { accountId, deliveredId, events: kinds, schedule, paused, error, deliveredMs } = subscription;
  const page = { afterId: deliveredId, limit: waitingMax + 1, kinds };
  const waiting = await events.countEvents(accountId, page);
  return {
    id: subscription.id,
    by: subscription.by,
    target: subscription.target,
    format: subscription.format,
    options: optionsView(subscription),
    events: [...kinds],
    every: subscription.every,
    schedule: schedule ? { ...schedule, weekdays: [...schedule.weekdays] } : null,
    paused: paused ? { by: paused.by, at: timeOf(paused.atMs) } : null,
    created_by: subscription.createdBy,
    created_at: timeOf(subscription.createdMs),
    state: stateOf(subscription, waiting),
    waiting: { events: Math.min(waiting, waitingMax), more: waiting > waitingMax },
    next_at: waiting === 0 || paused ? null : timeOf(nextMs(subscription, clock.now())),
    failures: subscription.failures,
    error: error ?? null,
    last_delivered_at: deliveredMs === undefined ? null : timeOf(deliveredMs),
  };
}

function optionsView({ options }: Subscription): SubscriptionView['options'] {
  const { index = null, sourcetype = null, sealedToken, ca } = options;
  return { index, sourcetype, token: sealedToken !== undefined, ca: ca !== undefined };
}

function stateOf({ paused, error }: Subscription, waiting: number): SubscriptionView['state'] {
  if (paused) return 'paused';
  if (error !== undefined) return 'failing';
  return waiting > 0 ? 'waiting' : 'idle';
}

/** A digest that has not failed comes when its period ends; everything else when it is due, which may be now. */
function nextMs(subscription: Subscription, nowMs: number): number {
  if (subscription.by === 'email' && subscription.error === undefined)
    return digestTimeMs(subscription, nowMs);
  return Math.max(subscription.nextMs, nowMs);
}

export function deliveryView(
  delivery: Delivery,
  nowMs: number,
  { detect }: Pick<Settings, 'detect'>,
): DeliveryView {
  const { number, kind, status, firstMs, lastMs, attempts, events, error } = delivery;
  return {
    n: number,
    kind,
    status,
    at: timeOf(lastMs),
    first_attempt_at: timeOf(firstMs),
    attempts,
    events: events?.count ?? 0,
    error: error ?? null,
    can_replay: events !== undefined && lastMs > nowMs - detect.eventDays * dayMs,
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
