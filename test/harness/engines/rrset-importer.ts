/** A process that imports observations into passive DNS of several nodes, for tests that kill it. It ends when the import is complete. */
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import {
  ClickHouseClient,
  type ClickHouseOptions,
} from '../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { type DatabaseOptions, PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { ClickHouseRrsetStore } from '../../../src/store/distributed/rrset/rrset-store.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import type { S3Options } from '../../../src/store/distributed/s3/s3-requests.ts';
import { openSegmentRrsets } from '../../../src/store/distributed/segment-rrsets/segment-rrset-store.ts';
import type { RrsetStore } from '../../../src/store/rrset-store.ts';
import { nowSeconds, rdata, wire } from '../arbitraries/rrset-arbitraries.ts';

/** Where a node has passive DNS. */
export type NodeStore =
  | { readonly kind: 'clickhouse'; readonly clickhouse: ClickHouseOptions }
  | { readonly kind: 'segments'; readonly s3: S3Options; readonly cacheDirectory: string };

export interface ImporterOptions {
  readonly postgres: DatabaseOptions;
  readonly store: NodeStore;
  readonly importId: string;
  readonly batches: number;
  readonly leaseMs: number;
}

export const rowsPerBatch = 100;

/** Each batch has the same names. */
export function observationsOf(batches: number): readonly Rrset[] {
  return Array.from({ length: batches * rowsPerBatch }, (_, index) => ({
    origin: 'sensor' as const,
    owner: wire(`h${index % rowsPerBatch}.example.com.`),
    type: 1,
    bailiwick: wire('.'),
    rdata: [rdata(1, `192.0.2.${index % rowsPerBatch}`)],
    firstSeconds: nowSeconds,
    lastSeconds: nowSeconds,
    count: 1,
  }));
}

export function openNodeStore(database: PostgresDatabase, node: NodeStore, leaseMs?: number): RrsetStore {
  if (node.kind === 'clickhouse') {
    const lease = leaseMs === undefined ? {} : { leaseMs };
    return new ClickHouseRrsetStore({ database, shards: [new ClickHouseClient(node.clickhouse)], ...lease });
  }
  return openSegmentRrsets({
    database,
    objects: openObjects(database, node.s3),
    clock: { now: () => nowSeconds * 1000 },
    cacheDirectory: node.cacheDirectory,
    cacheBytesMax: 1 << 30,
    blockBytes: 8 << 20,
    searchBlockBytes: 4 << 20,
  });
}

if (process.argv[2] !== undefined && import.meta.filename === process.argv[1]) {
  const options = JSON.parse(process.argv[2]) as ImporterOptions;
  const database = new PostgresDatabase(options.postgres);
  const store = openNodeStore(database, options.store, options.leaseMs);
  const intake = await store.openIntake({ importId: options.importId });
  for (const [index, one] of observationsOf(options.batches).entries()) {
    await intake.add(one);
    if (index % rowsPerBatch === rowsPerBatch - 1) await intake.flush();
  }
  await intake.finish();
  await store.close();
  await database.close();
}
