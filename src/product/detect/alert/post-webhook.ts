/**
 * One POST to a webhook, in the format of its receiver. The signature (HMAC) covers time and body, so that a receiver can verify the sender and
 * reject replays by others.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../../model/clock.ts';
import type { Subscription } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import { postJson } from '../../../outgoing/post-json.ts';
import { faultOf } from '../delivery-fault.ts';
import { webhookSecret } from '../webhook-secret.ts';
import { findToken } from './receiver-token.ts';

export interface PostNeeds {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect'>;
  readonly linkKey: Buffer;
}

export interface SendOutcome {
  /** Undefined if the receiver accepted it. */
  readonly error: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** `aborted`: by the signal, which is not a failure of the receiver. */
export async function postWebhook(
  subscription: Subscription,
  { deliveryId, body }: { readonly deliveryId: string; readonly body: string },
  { dialer, clock, settings, linkKey }: PostNeeds,
  signal: AbortSignal,
): Promise<SendOutcome | 'aborted'> {
  const { seed, target: url } = subscription;
  const timeoutMs = settings.detect.deliveryTimeoutSeconds * 1000;
  try {
    const token = findToken(subscription, linkKey);
    const headers = {
      'x-nameglass-delivery': deliveryId,
      'x-nameglass-signature': signatureOf(body, webhookSecret(seed, linkKey), clock.now()),
      ...(token === undefined ? {} : { authorization: `Splunk ${token}` }),
    };
    const post = { url, body, headers, timeoutMs, signal };
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
