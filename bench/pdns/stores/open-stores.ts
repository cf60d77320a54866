/** Passive DNS in three stores: embedded, and the two that several nodes share, with PostgreSQL, the RADOS Gateway and ClickHouse of this machine. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { ClickHouseClient } from '../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { ClickHouseRrsetStore } from '../../../src/store/distributed/rrset/rrset-store.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import { openSegmentRrsets } from '../../../src/store/distributed/segment-rrsets/segment-rrset-store.ts';
import { usualCacheSizes } from '../../../src/store/embedded/cache-sizes.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { RrsetStore } from '../../../src/store/rrset-store.ts';
import { newClickHouseDatabase, startClickHouse } from '../../../test/harness/engines/clickhouse.ts';
import { newSchema, startPostgres } from '../../../test/harness/engines/postgres.ts';
import { startRadosGateway } from '../../../test/harness/engines/rados-gateway.ts';
import { type BenchContext, MissingSoftware } from '../../harness/benchmark.ts';

export interface ComparedStores {
  readonly embedded: RrsetStore;
  readonly segments: RrsetStore;
  readonly clickhouse: RrsetStore;
  /** In the order in which they are closed. */
  close(): Promise<void>;
}

export type StoreName = Exclude<keyof ComparedStores, 'close'>;
export const storeNames = ['embedded', 'segments', 'clickhouse'] as const satisfies readonly StoreName[];

/** Empty. */
export async function openComparedStores({ directory, after }: BenchContext): Promise<ComparedStores> {
  const scope = { after: (cleanUp: () => unknown) => after(cleanUp) };
  const postgres = await startPostgres(scope);
  const gateway = await startRadosGateway(scope);
  const server = await startClickHouse(scope);
  if (!postgres || !gateway || !server)
    throw new MissingSoftware('PostgreSQL, radosgw and clickhouse-server are needed');
  const clock = { now: () => Date.now() };
  const newDirectory = () => mkdtempSync(join(directory, 'store-'));
  const databases = [
    new PostgresDatabase(newSchema(postgres, ['segments'])),
    new PostgresDatabase(newSchema(postgres, ['rrset'])),
  ] as const;
  const version = await server.run('select version()');
  const client = new ClickHouseClient(newClickHouseDatabase(server, version));
  const stores = {
    embedded: openRrsetStore(newDirectory(), clock),
    segments: openSegmentRrsets({
      database: databases[0],
      objects: openObjects(databases[0], gateway.newOptions()),
      clock,
      cacheDirectory: newDirectory(),
      cacheBytesMax: 1 << 40,
      blockBytes: usualCacheSizes.rrsetBytes,
      searchBlockBytes: usualCacheSizes.rrsetSearchBytes,
    }),
    clickhouse: new ClickHouseRrsetStore({ database: databases[1], shards: [client] }),
  };
  return {
    ...stores,
    async close() {
      for (const name of storeNames) await stores[name].close();
      for (const database of databases) await database.close();
    },
  };
}
