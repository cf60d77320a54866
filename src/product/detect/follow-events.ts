/** The live stream of watchlist events. Each has its id, from which a client can resume. */
import { eventJson } from '../../model/detect/event-json.ts';
import type { DecisionEvent, EventKind, WatchlistEvent } from '../../model/detect/watchlist.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { GrowthPoller } from '../../store/growth/growth-poller.ts';

export interface EventQuery {
  readonly accountId: string;
  /** The last event that the client has; without it the stream starts now. */
  readonly lastId: number | undefined;
  readonly kinds: readonly EventKind[];
}

export interface FollowEventsNeeds {
  readonly events: Pick<EventStore, 'listEvents' | 'lastEventId' | 'growth'>;
  /** Notifies of new events, by account. */
  readonly growth: GrowthPoller;
}

const pageEvents = 100;

/** An id beyond the last event, as after a restore from backup, counts as the last one. */
export async function findEventsStart(
  { accountId, lastId }: Pick<EventQuery, 'accountId' | 'lastId'>,
  { events }: { readonly events: Pick<EventStore, 'lastEventId'> },
): Promise<number> {
  return Math.min(lastId ?? Number.POSITIVE_INFINITY, await events.lastEventId(accountId));
}

interface ScanOptions {
  readonly signal: AbortSignal;
  readonly idleMs: number;
}

/** Ends with the signal. Yields an empty list after `idleMs` without events. */
export async function* scanEvents(
  { accountId, kinds }: EventQuery,
  start: number,
  { events, growth }: FollowEventsNeeds,
  options: ScanOptions,
): AsyncGenerator<readonly { readonly text: string; readonly end: number }[], void, undefined> {
  const listPage = (afterId: number) => events.listEvents(accountId, { afterId, limit: pageEvents, kinds });
  const wait = (position: number) => growth.wait(accountId, position, options.idleMs, options.signal);
  for await (const page of scanPages(start, listPage, wait, options.signal))
    yield page.map((event) => ({ text: JSON.stringify(eventJson(event)), end: event.id }));
}

/** The same with events of all kinds, decisions included. */
export function scanAllEvents(
  accountId: string,
  start: number,
  needs: { readonly events: Pick<EventStore, 'listAllEvents'>; readonly growth: GrowthPoller },
  { signal, idleMs }: ScanOptions,
): AsyncGenerator<readonly (WatchlistEvent | DecisionEvent)[], void, undefined> {
  const listPage = (afterId: number) => needs.events.listAllEvents(accountId, { afterId, limit: pageEvents });
  const wait = (position: number) => needs.growth.wait(accountId, position, idleMs, signal);
  return scanPages(start, listPage, wait, signal);
}

/** `wait` resolves with the end of the log, or with the position itself if nothing was appended for a while. */
async function* scanPages<Event extends { readonly id: number }>(
  start: number,
  listPage: (afterId: number) => Promise<readonly Event[]>,
  wait: (position: number) => Promise<number>,
  signal: AbortSignal,
): AsyncGenerator<readonly Event[], void, undefined> {
  let position = start;
  while (!signal.aborted) {
    const end = await wait(position);
    if (signal.aborted) return;
    if (end <= position) {
      yield [];
      continue;
    }
    const page = await listPage(position);
    yield page;
    // A page that is not full has all events up to `end`; the rest is of other kinds.
    const lastId = page.at(-1)?.id ?? position;
    position = page.length < pageEvents ? Math.max(lastId, end) : lastId;
  }
}
