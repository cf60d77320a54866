/** Sightings: whether our own sensors saw a domain resolved, when and how often. Nothing here says who asked; how many did is an estimate, if it is counted at all. */
import type { Sighting } from '../dns/rrset.ts';

/** `passive-dns`: what was observed before the domain was found, by whichever sensor: passive DNS does not keep which. */
export const sensors = ['dnstap', 'zeek', 'eve', 'passive-dns'] as const;
export type Sensor = (typeof sensors)[number];

export interface SensorSighting extends Sighting {
  readonly sensor: Sensor;
  /** Absent where they are not counted. */
  readonly clients?: DistinctClients;
}

/** An estimate for the last day on which there were any. */
export interface DistinctClients {
  /** `2026-03-04`, UTC. */
  readonly day: string;
  readonly count: number;
}

export interface DomainSighting extends Sighting {
  /** Punycode. */
  readonly domain: string;
}

/** Files in other formats may be observations of others, or zones. */
export function sensorOfFormat(format: string): Sensor | undefined {
  return format === 'dnstap' || format === 'zeek' || format === 'eve' ? format : undefined;
}

export function mergedSighting(one: Sighting | undefined, other: Sighting): Sighting {
  const { firstSeconds, lastSeconds, count } = other;
  if (!one) return { firstSeconds, lastSeconds, count };
  return {
    firstSeconds: Math.min(one.firstSeconds, firstSeconds),
    lastSeconds: Math.max(one.lastSeconds, lastSeconds),
    count: one.count + count,
  };
}

/** Of all sensors; undefined if none saw it. */
export function totalSighting(sightings: readonly Sighting[]): Sighting | undefined {
  return sightings.reduce<Sighting | undefined>(mergedSighting, undefined);
}
