/**
 * One POST to a webhook. The signature (HMAC) covers time and body, so that a receiver can verify the sender and reject replays by others.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../../model/clock.ts';
import { eventJson } from '../../../model/detect/event-json.ts';
import type { Subscription, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import { postJson } from '../../../outgoing/post-json.ts';
import { faultOf } from '../delivery-fault.ts';
import { webhookSecret } from '../webhook-secret.ts';

export interface PostNeeds {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect'>;
  readonly linkKey: Buffer;
}

export interface WebhookPost {
  readonly deliveryId: string;
  readonly events: readonly WatchlistEvent[];
  /** More members of the body. */
  readonly members?: object;
}

export interface PostOutcome {
  /** Undefined if the receiver accepted it. */
  readonly error: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** The id is made of the first and last event: a retry has the same id, and another set of events another. */
export function deliveryIdOf(
  subscription: Subscription,
  events: { readonly firstId: number; readonly lastId: number },
): string {
  return `${subscription.id}.${events.firstId}-${events.lastId}`;
}

/** `aborted`: by the signal, which is not a failure of the receiver. */
export async function postWebhook(
  subscription: Subscription,
  { deliveryId, events, members }: WebhookPost,
  { dialer, clock, settings, linkKey }: PostNeeds,
  signal: AbortSignal,
): Promise<PostOutcome | 'aborted'> {
  const body = JSON.stringify({
    subscription_id: subscription.id,
    delivery_id: deliveryId,
    ...members,
    events: events.map(eventJson),
  });
  const headers = {
    'x-nameglass-delivery': deliveryId,
    'x-nameglass-signature': signatureOf(body, webhookSecret(subscription.seed, linkKey), clock.now()),
  };
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  const post = { url: subscription.target, body, headers, timeoutMs, signal };
  try {
    const { isAccepted, status, retryAfterMs } = await postJson(dialer, post, clock.now());
    return { error: isAccepted ? undefined : `the receiver answered ${status}`, retryAfterMs };
  } catch (failure) {
    return signal.aborted ? 'aborted' : { error: faultOf(failure), retryAfterMs: undefined };
  }
}

function signatureOf(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
