/** Charges of limits and appends to streams in both stores. */
import { join } from 'node:path';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../src/store/distributed/stream/stream-store.ts';
import { openUsageStore } from '../../src/store/distributed/usage/usage-store.ts';
import { openStreamStore as openEmbeddedStreams } from '../../src/store/embedded/stream-store.ts';
import { openUsageStore as openEmbeddedUsage } from '../../src/store/embedded/usage-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import type { UsageStore } from '../../src/store/usage-store.ts';
import { chargeAll } from '../data/charges.ts';
import type { BenchContext, Result } from '../harness/benchmark.ts';
import { channelLines, lineBytes } from '../streams/channel-lines.ts';
import { compareStores, type Pair } from './compare-stores.ts';
import type { DistributedRecords } from './distributed-records.ts';
import { unusedS3 } from './unused-s3.ts';

const width = 1_000_000_000;
const accounts = 100;
const writers = 32;

export async function benchCharges(
  { url, schema, postgres }: DistributedRecords,
  context: BenchContext,
): Promise<readonly Result[]> {
  const { directory, sized } = context;
  // As the server has it unless it is configured otherwise.
  const database = new PostgresDatabase({ url, schema, poolMax: 4, durable: false });
  const pair: Pair<UsageStore> = {
    distributed: openUsageStore(database),
    embedded: openEmbeddedUsage(join(directory, 'usage')),
    pid: postgres.pid,
  };
  const results: Result[] = [];
  try {
    for (const together of [64, 256]) {
      const count = sized({ tiny: 512, small: 5120, full: 20_480 });
      const charges = { name: `bench-${together}`, width, accounts, count, together };
      const work = {
        what: `charges of two limits and a tally, ${together} at once`,
        unit: 'charges/s',
        operations: count,
        wanted: together === 256 ? { perSecond: { atLeast: 10_000 } } : {},
        run: (usage: UsageStore) => chargeAll(usage, charges),
      };
      results.push(...(await compareStores(pair, work, context)));
    }
  } finally {
    await pair.distributed.close();
    await pair.embedded.close();
    await database.close();
  }
  return results;
}

export async function benchAppends(
  { url, schema, postgres }: DistributedRecords,
  context: BenchContext,
): Promise<readonly Result[]> {
  const { directory, sized } = context;
  const database = new PostgresDatabase({ url, schema, poolMax: 4 });
  const pair: Pair<StreamStore> = {
    distributed: openStreamStore(database, openObjects(database, unusedS3)),
    embedded: openEmbeddedStreams(join(directory, 'streams')),
    pid: postgres.pid,
  };
  const operations = sized({ tiny: 64, small: 640, full: 3200 });
  const [line, nowMs] = [channelLines(lineBytes, 1), Date.now()];
  try {
    const work = {
      what: `appends of a line, ${writers} writers`,
      unit: 'appends/s',
      operations,
      run: (streams: StreamStore) => appendAll(streams, { line, nowMs, operations }),
    };
    return await compareStores(pair, work, context);
  } finally {
    await pair.distributed.close();
    await pair.embedded.close();
    await database.close();
  }
}

async function appendAll(
  streams: StreamStore,
  { line, nowMs, operations }: { readonly line: Buffer; readonly nowMs: number; readonly operations: number },
): Promise<void> {
  const append = async () => {
    for (let done = 0; done < operations / writers; done += 1)
      await streams.append([{ stream: 'ch204', bytes: line }], nowMs);
  };
  await Promise.all(Array.from({ length: writers }, append));
}
