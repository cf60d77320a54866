/** Mails a digest at the end of an hour or a day with events, covering those since the last digest. Without events no mail is sent. */

import type { Clock } from '../../model/clock.ts';
import { writeDigest } from '../../model/detect/digest.ts';
import type { EventKind, Subscription, WatchlistEvent } from '../../model/detect/watchlist.ts';
import { dayMs, hourMs } from '../../model/durations.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { SendMail } from '../../outgoing/send-mail.ts';
import type { DeliveryOutcome, EventStore } from '../../store/event-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { faultOf } from './delivery-fault.ts';
import { retryTimeMs } from './retry-time.ts';

export interface DigestNeeds {
  readonly events: Pick<EventStore, 'listEvents'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly sendMail: SendMail;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'mail'>;
}

const eventsShown = 500;
const pageEvents = 1000;
const periodsMs = { hour: hourMs, day: dayMs } as const;

export async function sendDigest(subscription: Subscription, needs: DigestNeeds): Promise<DeliveryOutcome> {
  const { id, deliveredId, failures, target: to } = subscription;
  const { clock, settings, sendMail } = needs;
  const { events, counts, lastId } = await gather(subscription, needs);
  const [first] = events;
  const periodMs = periodsMs[subscription.every === 'day' ? 'day' : 'hour'];
  const nextMs = periodEnd(clock.now(), periodMs);
  if (!first) return { deliveredId, failures, nextMs };
  // The first event may be of the current period, however old the last digest is.
  const dueMs = periodEnd(first.atMs, periodMs);
  if (clock.now() < dueMs) return { deliveredId, failures, nextMs: dueMs };
  try {
    if (settings.mail.host === '') return { deliveredId, failures, error: 'mail.host is not set', nextMs };
    const terms = await findTerms(subscription.accountId, events, needs);
    await sendMail({ to, ...writeDigest({ events, counts, terms }), id: `${id}.${first.id}-${lastId}` });
    return { deliveredId: lastId, failures: 0, nextMs };
  } catch (error) {
    const again = retryTimeMs(failures, clock.now());
    return { deliveredId, failures: failures + 1, error: faultOf(error), nextMs: again };
  }
}

/** Counts all events, and keeps the first ones to show. */
async function gather({ accountId, events: kinds, deliveredId }: Subscription, needs: DigestNeeds) {
  const events: WatchlistEvent[] = [];
  const counts = new Map<EventKind, number>();
  let lastId = deliveredId;
  for (;;) {
    const page = await needs.events.listEvents(accountId, { afterId: lastId, limit: pageEvents, kinds });
    for (const event of page) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    events.push(...page.slice(0, eventsShown - events.length));
    lastId = page.at(-1)?.id ?? lastId;
    if (page.length < pageEvents) return { events, counts, lastId };
  }
}

async function findTerms(
  accountId: string,
  events: readonly WatchlistEvent[],
  { monitors }: DigestNeeds,
): Promise<ReadonlyMap<string, string>> {
  const terms = new Map<string, string>();
  for (const id of new Set(events.flatMap(({ monitorIds }) => monitorIds))) {
    const monitor = await monitors.findMonitor(accountId, id);
    if (monitor) terms.set(id, monitor.term);
  }
  return terms;
}

/** Hours and days in UTC. */
function periodEnd(ms: number, periodMs: number): number {
  return (Math.floor(ms / periodMs) + 1) * periodMs;
}
