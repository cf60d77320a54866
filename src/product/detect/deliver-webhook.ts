/**
 * Delivers events to a webhook: up to a hundred of them in one POST, in order, at least once, without gaps. The next batch is sent when this
 * one was accepted.
 */
import type { Subscription } from '../../model/detect/watchlist.ts';
import type { DeliveryOutcome, EventStore } from '../../store/event-store.ts';
import { deliveryIdOf, type PostNeeds, postWebhook } from './alert/post-webhook.ts';
import { withoutUndone } from './alert/without-undone.ts';
import { retryTimeMs } from './retry-time.ts';

export interface WebhookNeeds extends PostNeeds {
  readonly events: Pick<EventStore, 'listEvents'>;
}

const eventsMax = 100;

export async function deliverWebhook(
  subscription: Subscription,
  needs: WebhookNeeds,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { accountId, events: kinds, deliveredId, failures } = subscription;
  const { clock } = needs;
  const page = await needs.events.listEvents(accountId, { afterId: deliveredId, limit: eventsMax, kinds });
  const events = withoutUndone(page, deliveredId);
  const [first, last] = [events[0], page.at(-1)];
  if (!last) return { deliveredId, failures, nextMs: clock.now() };
  if (!first) return { deliveredId: last.id, failures, nextMs: clock.now() };
  const range = { firstId: first.id, lastId: last.id, count: events.length };
  const deliveryId = deliveryIdOf(subscription, range);
  const outcome = await postWebhook(subscription, { deliveryId, events }, needs, signal);
  // A shutdown is not a failure; the next start retries immediately.
  if (outcome === 'aborted') return { deliveredId, failures, nextMs: clock.now() };
  const { error, retryAfterMs } = outcome;
  const attempt = { kind: 'events', atMs: clock.now(), events: range, error } as const;
  if (error === undefined) return { deliveredId: last.id, failures: 0, nextMs: clock.now(), attempt };
  const nextMs = retryTimeMs(failures, clock.now(), retryAfterMs);
  return { deliveredId, failures: failures + 1, error, nextMs, attempt };
}
