/**
 * Sightings as part of watchlist.db: `sighting`, one row per domain and sensor; `sighted_domain`, all domains on watchlists, kept by triggers;
 * `sighting_import`. Reads run in the main thread, by key.
 */
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import type { Sensor } from '../../../model/detect/sightings.ts';
import type { ClientCount, PastSighting, SightingBatch, SightingStore } from '../../detect/sighting-store.ts';
import { type Database, write } from '../database.ts';
import { Counters } from '../detect/counters.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';
import { Sightings } from './sightings.ts';

type Threads = Pick<WorkerClient<DetectCalls, 'write'>, 'on'>;

export function sightingStore(database: Database, threads: Threads): SightingStore {
  const counters = new Counters(database);
  const sightings = new Sightings(database);
  const sensorOf = database.prepare('select sensor from sighting_import where import = ?').pluck();
  const pending = database
    .prepare('select domain from sighted_domain where counted = 0 and domain > ? order by domain limit ?')
    .pluck();
  const any = database.prepare('select 1 from sighting limit 1').pluck();
  const forgetClients = threads.on('write', 'forgetClients');
  const inOneTransaction = database.transaction((work: () => void) => work());
  return {
    registerImport: threads.on('write', 'registerImport'),
    findSensorOfImport: async (importId) => sensorOf.get(importId) as Sensor | undefined,
    countedBatch: async () => counters.get('sightings'),
    async findCountedDomains(domains) {
      const counted = await mapInSlices(domains, (domain) => sightings.isCounted(domain), inOneTransaction);
      return new Set(domains.filter((_, index) => counted[index]));
    },
    listPendingDomains: async (after, limit) => pending.all(after, limit) as string[],
    addSightings: threads.on('write', 'addSightings'),
    addPast: threads.on('write', 'addPast'),
    recordClients: threads.on('write', 'recordClients'),
    async forgetClients() {
      // A thread takes some megabytes, and most servers have no resolver that reports to them.
      if (any.get() !== undefined) await forgetClients();
    },
  };
}

/** What a worker thread does: all writes. */
export function sightingCalls(database: Database) {
  const sightings = new Sightings(database);
  const register = database.prepare(
    'insert into sighting_import (import, sensor) values (?, ?) on conflict do nothing',
  );
  const setClients = database.prepare(
    `update sighting set
       clients = case when clients_day > :day or (clients_day = :day and clients > :clients) then clients else :clients end,
       clients_day = max(ifnull(clients_day, ''), :day)
     where domain = :domain and sensor = 'dnstap'`,
  );
  const forgetClients = database.prepare(
    'update sighting set clients = null, clients_day = null where clients is not null',
  );
  return {
    async registerImport(importId: string, sensor: Sensor): Promise<void> {
      await write(database, () => register.run(importId, sensor));
    },
    addSightings: (batch: SightingBatch, nowMs: number) =>
      write(database, () => sightings.addBatch(batch, nowMs)),
    addPast: (past: readonly PastSighting[], countedBatch: number) =>
      write(database, () => sightings.addPast(past, countedBatch)),
    recordClients: (counts: readonly ClientCount[]): Promise<ReadonlySet<string>> =>
      write(
        database,
        () =>
          new Set(counts.filter((count) => setClients.run(count).changes > 0).map(({ domain }) => domain)),
      ),
    async forgetClients(): Promise<void> {
      await write(database, () => forgetClients.run());
    },
  };
}
