/** What happens on a watchlist, as it happens, each event with its id, from which a client can go on later. */
import { eventJson } from '../../model/detect/event-json.ts';
import type { EventKind } from '../../model/detect/watchlist.ts';
import type { Growth } from '../../store/growth.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface EventQuestion {
  readonly accountId: string;
  /** The last event that the client has; without it the answer starts with what comes from now on. */
  readonly lastId: number | undefined;
  readonly kinds: readonly EventKind[];
}

export interface FollowEventsNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listEvents' | 'lastEventId'>;
  /** Of the events of accounts, by account. */
  readonly growth: Growth;
}

const eventsAtOnce = 100;

/** An id of the future, as of a store that was set back, is as good as the last one. */
export async function findEventsStart(
  { accountId, lastId }: EventQuestion,
  { watchlist }: Pick<FollowEventsNeeds, 'watchlist'>,
): Promise<number> {
  return Math.min(lastId ?? Number.POSITIVE_INFINITY, await watchlist.lastEventId(accountId));
}

/** Ends with the signal. Nothing for `idleMs` gives an empty list. */
export async function* scanEvents(
  { accountId, kinds }: EventQuestion,
  start: number,
  { watchlist, growth }: FollowEventsNeeds,
  signal: AbortSignal,
  idleMs: number,
): AsyncGenerator<readonly { readonly text: string; readonly end: number }[], void, undefined> {
  let place = start;
  while (!signal.aborted) {
    const end = await growth.wait(accountId, place, idleMs, signal);
    if (signal.aborted) return;
    if (end <= place) {
      yield [];
      continue;
    }
    const events = await watchlist.listEvents(accountId, { afterId: place, limit: eventsAtOnce, kinds });
    yield events.map((event) => ({ text: JSON.stringify(eventJson(event)), end: event.id }));
    // A page that is not full has all that was there, and what lies between is of other kinds.
    const lastId = events.at(-1)?.id ?? place;
    place = events.length < eventsAtOnce ? Math.max(lastId, end) : lastId;
  }
}
