/**
 * A letter at the end of an hour or a day in which something happened, about what no earlier letter told. Nothing happened: no letter.
 */
import type { Clock } from '../../model/clock.ts';
import { writeDigest } from '../../model/detect/digest.ts';
import type { EventKind, Subscription, WatchlistEvent } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings.ts';
import type { SendMail } from '../../outgoing/send-mail.ts';
import type { SubscriptionOutcome, WatchlistStore } from '../../store/watchlist-store.ts';
import { faultOf } from './delivery-fault.ts';
import { retryTimeMs } from './retry-time.ts';

export interface DigestNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listEvents' | 'findMonitor'>;
  readonly sendMail: SendMail;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'mail'>;
}

const eventsShown = 500;
const eventsAtOnce = 1000;
const periodsMs = { hour: 3_600_000, day: 86_400_000 } as const;

export async function sendDigest(
  subscription: Subscription,
  needs: DigestNeeds,
): Promise<SubscriptionOutcome> {
  const { id, toldId, failures, target: to } = subscription;
  const { clock, settings, sendMail } = needs;
  const { events, counts, lastId } = await gather(subscription, needs);
  const [first] = events;
  const periodMs = periodsMs[subscription.every === 'day' ? 'day' : 'hour'];
  const nextMs = periodEnd(clock.now(), periodMs);
  if (!first) return { toldId, failures, nextMs };
  // The hour may have been quiet so far, and the last letter long ago.
  const dueMs = periodEnd(first.atMs, periodMs);
  if (clock.now() < dueMs) return { toldId, failures, nextMs: dueMs };
  try {
    if (settings.mail.host === '') return { toldId, failures, error: 'mail.host is not set', nextMs };
    const terms = await findTerms(subscription.accountId, events, needs);
    await sendMail({ to, ...writeDigest({ events, counts, terms }), id: `${id}.${first.id}-${lastId}` });
    return { toldId: lastId, failures: 0, nextMs };
  } catch (error) {
    const again = retryTimeMs(failures, clock.now());
    return { toldId, failures: failures + 1, error: faultOf(error), nextMs: again };
  }
}

/** All are counted, and the first of them kept. */
async function gather({ accountId, events: kinds, toldId }: Subscription, { watchlist }: DigestNeeds) {
  const events: WatchlistEvent[] = [];
  const counts = new Map<EventKind, number>();
  let lastId = toldId;
  for (;;) {
    const page = await watchlist.listEvents(accountId, { afterId: lastId, limit: eventsAtOnce, kinds });
    for (const event of page) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    events.push(...page.slice(0, eventsShown - events.length));
    lastId = page.at(-1)?.id ?? lastId;
    if (page.length < eventsAtOnce) return { events, counts, lastId };
  }
}

async function findTerms(
  accountId: string,
  events: readonly WatchlistEvent[],
  { watchlist }: DigestNeeds,
): Promise<ReadonlyMap<string, string>> {
  const terms = new Map<string, string>();
  for (const id of new Set(events.flatMap(({ monitorIds }) => monitorIds))) {
    const monitor = await watchlist.findMonitor(accountId, id);
    if (monitor) terms.set(id, monitor.term);
  }
  return terms;
}

/** Hours and days of UTC. */
function periodEnd(ms: number, periodMs: number): number {
  return (Math.floor(ms / periodMs) + 1) * periodMs;
}
