/**
 * Delivers events to a webhook: one POST with up to a hundred events, in order, at least once, without gaps. The next batch is sent when this one
 * was accepted. The signature (HMAC) covers time and body, so that a receiver can verify the sender and reject replays.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { eventJson } from '../../model/detect/event-json.ts';
import type { Subscription, WatchlistEvent } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { postJson } from '../../outgoing/post-json.ts';
import type { DeliveryOutcome, EventStore } from '../../store/event-store.ts';
import { faultOf } from './delivery-fault.ts';
import { retryTimeMs } from './retry-time.ts';
import { webhookSecret } from './webhook-secret.ts';

export interface WebhookNeeds {
  readonly events: Pick<EventStore, 'listEvents'>;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect'>;
  readonly linkKey: Buffer;
}

const eventsMax = 100;

export async function deliverWebhook(
  subscription: Subscription,
  needs: WebhookNeeds,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { accountId, target: url, events: kinds, deliveredId, failures } = subscription;
  const { dialer, clock, settings, linkKey } = needs;
  const events = await needs.events.listEvents(accountId, { afterId: deliveredId, limit: eventsMax, kinds });
  const last = events.at(-1);
  if (!last) return { deliveredId, failures, nextMs: clock.now() };
  const { body, delivery } = deliveryOf(subscription, events);
  let [error, retryAfterMs]: [string?, number?] = [];
  try {
    const headers = {
      'x-nameglass-delivery': delivery,
      'x-nameglass-signature': signatureOf(body, webhookSecret(subscription.seed, linkKey), clock.now()),
    };
    const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
    const response = await postJson(dialer, { url, body, headers, timeoutMs, signal }, clock.now());
    if (response.isAccepted) return { deliveredId: last.id, failures: 0, nextMs: clock.now() };
    [error, retryAfterMs] = [`the receiver answered ${response.status}`, response.retryAfterMs];
  } catch (failure) {
    // A shutdown is not a failure; the next start retries immediately.
    if (signal.aborted) return { deliveredId, failures, nextMs: clock.now() };
    error = faultOf(failure);
  }
  return {
    deliveredId,
    failures: failures + 1,
    error,
    nextMs: retryTimeMs(failures, clock.now(), retryAfterMs),
  };
}

/** The id is made of the first and last event: a retry has the same id, and another set of events another. */
function deliveryOf(subscription: Subscription, events: readonly WatchlistEvent[]) {
  const delivery = `${subscription.id}.${events[0]?.id}-${events.at(-1)?.id}`;
  const body = JSON.stringify({
    subscription_id: subscription.id,
    delivery_id: delivery,
    events: events.map(eventJson),
  });
  return { delivery, body };
}

function signatureOf(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
