/**
 * Leaves out escalations that were undone before anybody was notified of them, together with their withdrawal. `afterId` is the last event
 * that the receiver has.
 */
import type { WatchlistEvent } from '../../../model/detect/watchlist.ts';

export function withoutUndone(events: readonly WatchlistEvent[], afterId: number): readonly WatchlistEvent[] {
  return events.filter(({ isWithdrawn = false, withdraws = 0 }) => !isWithdrawn && withdraws <= afterId);
}
