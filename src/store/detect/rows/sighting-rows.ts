/** Rows of sightings, and what the event of a sighting says. */
import type { Sensor, SensorSighting } from '../../../model/detect/sightings.ts';
import type { DomainState, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';

export interface SightingRow extends Sighting {
  readonly sensor: Sensor;
  readonly day: string | null;
  readonly clients: number | null;
}

export function sensorSighting({ day, clients, ...sighting }: SightingRow): SensorSighting {
  return day === null || clients === null ? sighting : { ...sighting, clients: { day, count: clients } };
}

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
