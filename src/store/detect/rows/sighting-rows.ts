/** What the event of a sighting says. */
import type { Sensor } from '../../../model/detect/sightings.ts';
import type { DomainState, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';

export function resolvedDetail(
  state: DomainState,
  sensor: Sensor,
  { firstSeconds, lastSeconds, count }: Sighting,
): WatchlistEvent['detail'] {
  return { state, sensor, count, first: timeText(firstSeconds), last: timeText(lastSeconds) };
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
