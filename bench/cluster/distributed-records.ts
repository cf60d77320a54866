/** Records in distributed stores, in a directory of the seeds for each size. What was loaded to the end has a file beside it and is not loaded again. */
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { openDomainStore } from '../../src/store/distributed/domain/domain-store.ts';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { migrate } from '../../src/store/distributed/postgres/migrations.ts';
import type { DomainStore } from '../../src/store/domain-store.ts';
import { onFreePort } from '../../test/harness/network/daemon.ts';
import type { BenchContext } from '../harness/benchmark.ts';
import { cpuSecondsOf } from '../harness/process-tree.ts';
import { ownUsage } from '../harness/usage.ts';
import { Postgres } from '../peers/postgres.ts';
import { seedLines } from '../serving/seeds.ts';

/** As many as imports commit at once. */
export const batchRecords = 1000;
const schema = 'nameglass';

/** What the load took, kept beside the data. */
export interface LoadFigures {
  readonly seconds: number;
  readonly ownCpuSeconds: number;
  readonly postgresCpuSeconds: number;
  readonly memoryBytes: number;
}

export interface DistributedRecords {
  readonly postgres: Postgres;
  readonly url: string;
  readonly schema: string;
  readonly load: LoadFigures;
}

export async function loadDistributed(count: number, context: BenchContext): Promise<DistributedRecords> {
  const { seeds, after, note } = context;
  // PostgreSQL works as a user of its own.
  chmodSync(seeds, 0o755);
  const directory = join(seeds, `distributed-${count}`);
  const mark = `${directory}.complete`;
  if (!existsSync(mark)) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const { postgres, port } = await onFreePort(async (free) => ({
    postgres: new Postgres(directory, free),
    port: free,
  }));
  after(() => postgres.stop());
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await migrateOnce(url);
  if (!existsSync(mark)) {
    note(`loading ${count.toLocaleString('en')} records into distributed stores`);
    const lines = await seedLines('records', count, context);
    writeFileSync(mark, JSON.stringify(await loadLines(url, lines, postgres)));
  }
  return { postgres, url, schema, load: JSON.parse(readFileSync(mark, 'utf8')) as LoadFigures };
}

/** Kept data may be those of an earlier version. */
async function migrateOnce(url: string): Promise<void> {
  const database = new PostgresDatabase({ url, schema, poolMax: 1 });
  await migrate(database).finally(() => database.close());
}

async function loadLines(url: string, lines: string, { pid }: Postgres): Promise<LoadFigures> {
  const database = new PostgresDatabase({ url, schema, poolMax: 4 });
  const store = openDomainStore(database, { now: () => Date.now() });
  try {
    const before = cpuSecondsOf(pid);
    const used = await ownUsage(() => upsertLines(store, lines));
    await database.read((sql) => sql`analyze`);
    return {
      seconds: used.seconds,
      ownCpuSeconds: used.cpuSeconds,
      memoryBytes: used.memoryBytes,
      postgresCpuSeconds: cpuSecondsOf(pid) - before,
    };
  } finally {
    await store.close();
    await database.close();
  }
}

async function upsertLines(store: DomainStore, file: string): Promise<void> {
  let records: DomainRecord[] = [];
  const upsert = async () => {
    const updates = records.map((record) => ({ record, source: 'bench', seenMs: Date.now() }));
    records = [];
    await store.upsert(updates);
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    records.push(JSON.parse(line) as DomainRecord);
    if (records.length === batchRecords) await upsert();
  }
  if (records.length > 0) await upsert();
}
