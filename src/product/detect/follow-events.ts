/** The live stream of watchlist events. Each has its id, from which a client can resume. */
import { eventJson } from '../../model/detect/event-json.ts';
import type { EventKind } from '../../model/detect/watchlist.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { GrowthPoller } from '../../store/growth-poller.ts';

export interface EventQuery {
  readonly accountId: string;
  /** The last event that the client has; without it the stream starts now. */
  readonly lastId: number | undefined;
  readonly kinds: readonly EventKind[];
}

export interface FollowEventsNeeds {
  readonly events: Pick<EventStore, 'listEvents' | 'lastEventId'>;
  /** Notifies of new events, by account. */
  readonly growth: GrowthPoller;
}

const pageEvents = 100;

/** An id beyond the last event, as after a restore from backup, counts as the last one. */
export async function findEventsStart(
  { accountId, lastId }: EventQuery,
  { events }: Pick<FollowEventsNeeds, 'events'>,
): Promise<number> {
  return Math.min(lastId ?? Number.POSITIVE_INFINITY, await events.lastEventId(accountId));
}

/** Ends with the signal. Yields an empty list after `idleMs` without events. */
export async function* scanEvents(
  { accountId, kinds }: EventQuery,
  start: number,
  { events, growth }: FollowEventsNeeds,
  { signal, idleMs }: { readonly signal: AbortSignal; readonly idleMs: number },
): AsyncGenerator<readonly { readonly text: string; readonly end: number }[], void, undefined> {
  let position = start;
  while (!signal.aborted) {
    const end = await growth.wait(accountId, position, idleMs, signal);
    if (signal.aborted) return;
    if (end <= position) {
      yield [];
      continue;
    }
    const page = await events.listEvents(accountId, { afterId: position, limit: pageEvents, kinds });
    yield page.map((event) => ({ text: JSON.stringify(eventJson(event)), end: event.id }));
    // A page that is not full has all events up to `end`; the rest is of other kinds.
    const lastId = page.at(-1)?.id ?? position;
    position = page.length < pageEvents ? Math.max(lastId, end) : lastId;
  }
}
