/** A process that imports observations into passive DNS on ClickHouse, for tests that kill it. It ends when the import is complete. */
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import {
  ClickHouseClient,
  type ClickHouseOptions,
} from '../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { type DatabaseOptions, PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { ClickHouseRrsetStore } from '../../../src/store/distributed/rrset/rrset-store.ts';
import { nowSeconds, rdata, wire } from '../arbitraries/rrset-arbitraries.ts';

export interface ImporterOptions {
  readonly postgres: DatabaseOptions;
  readonly clickhouse: ClickHouseOptions;
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

if (process.argv[2] !== undefined && import.meta.filename === process.argv[1]) {
  const options = JSON.parse(process.argv[2]) as ImporterOptions;
  const database = new PostgresDatabase(options.postgres);
  const client = new ClickHouseClient(options.clickhouse);
  const store = new ClickHouseRrsetStore({ database, shards: [client], leaseMs: options.leaseMs });
  const intake = await store.openIntake({ importId: options.importId });
  for (const [index, one] of observationsOf(options.batches).entries()) {
    await intake.add(one);
    if (index % rowsPerBatch === rowsPerBatch - 1) await intake.flush();
  }
  await intake.finish();
  await store.close();
  await database.close();
}
