/**
 * Delivers events to a webhook or a syslog receiver: as many in one message as its format allows, in order, at least once, without gaps. The next
 * message is sent when this one was accepted.
 */
import type { Subscription } from '../../model/detect/watchlist.ts';
import type { DeliveryOutcome, EventStore } from '../../store/event-store.ts';
import { deliveryIdOf, eventsMaxOf, type SendNeeds, sendEvents } from './alert/send-events.ts';
import { withoutUndone } from './alert/without-undone.ts';
import { retryTimeMs } from './retry-time.ts';

export interface DeliverNeeds extends SendNeeds {
  readonly events: Pick<EventStore, 'listEvents'>;
}

export async function deliverEvents(
  subscription: Subscription,
  needs: DeliverNeeds,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { accountId, events: kinds, deliveredId, failures } = subscription;
  const { clock } = needs;
  const limit = eventsMaxOf(subscription);
  const page = await needs.events.listEvents(accountId, { afterId: deliveredId, limit, kinds });
  const events = withoutUndone(page, deliveredId);
  const [first, last] = [events[0], page.at(-1)];
  if (!last) return { deliveredId, failures, nextMs: clock.now() };
  if (!first) return { deliveredId: last.id, failures, nextMs: clock.now() };
  /** What was undone after the last event of a message belongs to it: nobody is notified of it. */
  const rangeOf = (count: number) => {
    const next = events[count];
    const covered = next ? page.filter(({ id }) => id < next.id) : page;
    return { firstId: first.id, lastId: covered.at(-1)?.id ?? last.id, count };
  };
  const deliveryId = (sent: readonly unknown[]) => deliveryIdOf(subscription, rangeOf(sent.length));
  const { outcome, count } = await sendEvents(subscription, { events, deliveryId }, needs, signal);
  // A shutdown is not a failure; the next start retries immediately.
  if (outcome === 'aborted') return { deliveredId, failures, nextMs: clock.now() };
  const range = rangeOf(count);
  const { error, retryAfterMs } = outcome;
  const attempt = { kind: 'events', atMs: clock.now(), events: range, error } as const;
  if (error === undefined) return { deliveredId: range.lastId, failures: 0, nextMs: clock.now(), attempt };
  const nextMs = retryTimeMs(failures, clock.now(), retryAfterMs);
  return { deliveredId, failures: failures + 1, error, nextMs, attempt };
}
