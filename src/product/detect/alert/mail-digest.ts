/** Gathers the events of a digest and mails it. */
import { writeDigest } from '../../../model/detect/digest.ts';
import type { EventKind, Subscription, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import { publicUrl } from '../../../model/settings/public-url.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { SendMail } from '../../../outgoing/send-mail.ts';
import type { EventStore } from '../../../store/event-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { faultOf } from '../delivery-fault.ts';
import { findTerms } from './monitor-terms.ts';
import { withoutUndone } from './without-undone.ts';

export interface MailNeeds {
  readonly events: Pick<EventStore, 'listEvents'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly sendMail: SendMail;
  readonly settings: Pick<Settings, 'mail' | 'http' | 'web'>;
}

export interface GatheredEvents {
  /** The first ones, to be shown. */
  readonly events: readonly WatchlistEvent[];
  readonly counts: ReadonlyMap<EventKind, number>;
  readonly range: { readonly firstId: number; readonly lastId: number; readonly count: number } | undefined;
}

const eventsShown = 500;
const pageEvents = 1000;

export const noMailHost = 'mail.host is not set';

/** Counts all events after an id, up to another where one is given, and keeps the first ones. What was undone since is left out. */
export async function gatherEvents(
  { accountId, events: kinds }: Pick<Subscription, 'accountId' | 'events'>,
  ids: { readonly afterId: number; readonly lastId?: number },
  needs: Pick<MailNeeds, 'events'>,
): Promise<GatheredEvents> {
  const events: WatchlistEvent[] = [];
  const counts = new Map<EventKind, number>();
  const { lastId = Number.POSITIVE_INFINITY } = ids;
  let [afterId, count] = [ids.afterId, 0];
  for (;;) {
    const page = await needs.events.listEvents(accountId, { afterId, limit: pageEvents, kinds });
    const wanted = page.filter(({ id }) => id <= lastId);
    const reported = withoutUndone(wanted, ids.afterId);
    for (const { kind } of reported) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    events.push(...reported.slice(0, eventsShown - events.length));
    count += reported.length;
    afterId = wanted.at(-1)?.id ?? afterId;
    if (wanted.length < pageEvents) break;
  }
  const [first] = events;
  return { events, counts, range: first && { firstId: first.id, lastId: afterId, count } };
}

/** Returns why it was not sent; undefined if it was. */
export async function mailDigest(
  { accountId, target: to }: Subscription,
  { events, counts }: GatheredEvents,
  id: string,
  needs: MailNeeds,
): Promise<string | undefined> {
  if (needs.settings.mail.host === '') return noMailHost;
  try {
    const terms = await findTerms(accountId, events, needs);
    const { http, web } = needs.settings;
    const webUrl = web.enabled ? publicUrl({ http }) : undefined;
    await needs.sendMail({ to, ...writeDigest({ events, counts, terms, webUrl }), id });
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}
