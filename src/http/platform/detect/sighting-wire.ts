/** Sightings of a domain by our own sensors, in the platform API and the web UI. */
import { type Static, Type } from 'typebox';
import { type SensorSighting, sensors, totalSighting } from '../../../model/detect/sightings.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';

const times = {
  first: Type.String({ description: 'when it was first seen resolved' }),
  last: Type.String(),
  count: Type.Integer({ description: 'answers with data' }),
};

export const SightingsOnWire = Type.Object(
  {
    ...times,
    sensors: Type.Array(
      Type.Object({
        sensor: Type.Unsafe<SensorSighting['sensor']>({
          type: 'string',
          enum: [...sensors],
          description: 'passive-dns: before the domain was found, whichever sensor it was',
        }),
        ...times,
      }),
    ),
    clients: Type.Optional(
      Type.Object(
        {
          day: Type.String({ description: 'the last day with any, UTC' }),
          count: Type.Integer({ description: 'an estimate' }),
        },
        { description: 'distinct clients, where they are counted' },
      ),
    ),
  },
  { title: 'Sightings' },
);
export type SightingsOnWire = Static<typeof SightingsOnWire>;

/** Undefined if no sensor saw it. */
export function sightingsOnWire(sightings: readonly SensorSighting[]): SightingsOnWire | undefined {
  const total = totalSighting(sightings);
  if (!total) return undefined;
  const clients = sightings.find((sighting) => sighting.clients)?.clients;
  return {
    ...timesOnWire(total),
    sensors: sightings.map((sighting) => ({ sensor: sighting.sensor, ...timesOnWire(sighting) })),
    ...(clients ? { clients: { ...clients } } : {}),
  };
}

function timesOnWire({ firstSeconds, lastSeconds, count }: Sighting) {
  return { first: instant(firstSeconds), last: instant(lastSeconds), count };
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
