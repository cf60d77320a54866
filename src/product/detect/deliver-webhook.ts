/**
 * Tells a webhook what happened: one POST for up to a hundred events, in order, at least once, none left out. The next one is sent when
 * this one was taken. The signature is over time and body, so that a receiver knows who speaks, and that it is not an echo.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { eventJson } from '../../model/detect/event-json.ts';
import type { Subscription, WatchlistEvent } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { postJson } from '../../outgoing/post-json.ts';
import type { SubscriptionOutcome, WatchlistStore } from '../../store/watchlist-store.ts';
import { faultOf } from './delivery-fault.ts';
import { retryTimeMs } from './retry-time.ts';
import { webhookSecret } from './webhook-secret.ts';

export interface WebhookNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listEvents'>;
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
): Promise<SubscriptionOutcome> {
  const { accountId, target: url, events: kinds, toldId, failures } = subscription;
  const { watchlist, dialer, clock, settings, linkKey } = needs;
  const events = await watchlist.listEvents(accountId, { afterId: toldId, limit: eventsMax, kinds });
  const last = events.at(-1);
  if (!last) return { toldId, failures, nextMs: clock.now() };
  const { body, delivery } = deliveryOf(subscription, events);
  let [error, retryAfterMs]: [string?, number?] = [];
  try {
    const headers = {
      'x-nameglass-delivery': delivery,
      'x-nameglass-signature': signatureOf(body, webhookSecret(subscription.seed, linkKey), clock.now()),
    };
    const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
    const answer = await postJson(dialer, { url, body, headers, timeoutMs, signal }, clock.now());
    if (answer.taken) return { toldId: last.id, failures: 0, nextMs: clock.now() };
    [error, retryAfterMs] = [`the receiver answered ${answer.status}`, answer.retryAfterMs];
  } catch (failure) {
    // A stop is nobody's fault; the next start tries at once.
    if (signal.aborted) return { toldId, failures, nextMs: clock.now() };
    error = faultOf(failure);
  }
  return {
    toldId,
    failures: failures + 1,
    error,
    nextMs: retryTimeMs(failures, clock.now(), retryAfterMs),
  };
}

/** The id is that of the very events: the same ones told again have it again, and with one more among them they have another. */
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
