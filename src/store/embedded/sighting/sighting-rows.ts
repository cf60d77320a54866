/** Reads the sightings of a domain. */
import type { SensorSighting } from '../../../model/detect/sightings.ts';
import { type SightingRow, sensorSighting } from '../../detect/rows/sighting-rows.ts';
import type { Database } from '../database.ts';

/** Of rows of `domain`: 1 or 0. */
export const isSighted = 'exists (select 1 from sighting where sighting.domain = domain.name)';

export class SightingRows {
  readonly #ofDomain;

  constructor(database: Database) {
    this.#ofDomain = database.prepare(
      `select sensor, first_seconds as firstSeconds, last_seconds as lastSeconds, count, clients_day as day, clients
       from sighting where domain = ? order by sensor`,
    );
  }

  ofDomain(domain: string): readonly SensorSighting[] {
    return (this.#ofDomain.all(domain) as SightingRow[]).map(sensorSighting);
  }
}
