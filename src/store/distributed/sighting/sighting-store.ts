/** Sightings in PostgreSQL. `sighted_domain` has all domains on watchlists, and is kept by triggers. */
import type { Sensor } from '../../../model/detect/sightings.ts';
import type { SightingStore } from '../../detect/sighting-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { addPast, addSightings, recordClients } from './sightings.ts';

export function openSightingStore(database: PostgresDatabase): SightingStore {
  return {
    async registerImport(importId, sensor) {
      await database.writeRepeatable(
        (sql) =>
          sql`insert into sighting_import (import, sensor) values (${importId}, ${sensor}) on conflict do nothing`,
      );
    },
    async findSensorOfImport(importId) {
      const [row] = await database.read(
        (sql) => sql<{ sensor: Sensor }[]>`select sensor from sighting_import where import = ${importId}`,
      );
      return row?.sensor;
    },
    async countedBatch() {
      const [row] = await database.read(
        (sql) => sql<{ value: number }[]>`select value from watchlist_counter where name = 'sightings'`,
      );
      return row?.value ?? 0;
    },
    async findCountedDomains(domains) {
      const rows = await database.read(
        (sql) => sql<{ domain: string }[]>`
          select domain from sighted_domain where domain = any(${domains}::text[]) and counted`,
      );
      return new Set(rows.map(({ domain }) => domain));
    },
    async listPendingDomains(after, limit) {
      const rows = await database.read(
        (sql) => sql<{ domain: string }[]>`
          select domain from sighted_domain where not counted and domain > ${after} order by domain limit ${limit}`,
      );
      return rows.map(({ domain }) => domain);
    },
    addSightings: (batch, nowMs) => database.write((sql) => addSightings(sql, batch, nowMs)),
    addPast: (past, countedBatch) => database.write((sql) => addPast(sql, past, countedBatch)),
    recordClients: (counts) => database.write((sql) => recordClients(sql, counts)),
    async forgetClients() {
      await database.writeRepeatable(
        (sql) => sql`update sighting set clients = null, clients_day = null where clients is not null`,
      );
    },
  };
}
