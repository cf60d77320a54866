/**
 * Imports from the command line, each until everything is merged and durable. Passive DNS against GNU sort on the same lines; domain
 * records against a bare loop that parses the same lines and inserts them into one table, committing as often. Then a tenth of both into the
 * data of a server that answers meanwhile.
 */
import { createReadStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { type Bench, type BenchContext, type Result, resultOf } from './harness/benchmark.ts';
import { median } from './harness/interleave.ts';
import { importsBesideApi } from './import/beside-api.ts';
import { runCommand } from './serving/run-command.ts';
import { importSeed, seedCounts, seedLines } from './serving/seeds.ts';

const recordsPerCommit = 500;

export const bench: Bench = async (context) => [
  ...(await importRrsets(context)),
  ...(await importRecords(context)),
  ...(await importsBesideApi(context)),
];

async function importRrsets(context: BenchContext): Promise<readonly Result[]> {
  const count = context.sized(seedCounts.rrsets);
  const { usage: lesser } = await importSeed('rrsets', count / 10, context);
  const lines = await seedLines('rrsets', count, context);
  const sorted = join(context.directory, 'sorted');
  const sort = async () => (await runCommand('sort', ['-S', '1G', '-o', sorted, lines])).seconds;
  const before = await sort();
  const { usage } = await importSeed('rrsets', count, context);
  const peer = median([before, await sort()]);
  rmSync(sorted);
  const megabytes = statSync(lines).size / 1e6;
  return [
    resultOf({
      work: `import of ${count.toLocaleString('en')} passive DNS lines (${megabytes.toFixed(0)} MB)`,
      ours: { value: usage.seconds, unit: 's' },
      peer: { name: 'GNU sort', value: peer, unit: 's' },
      wanted: { ratio: { atMost: 3.5 }, growthAt10x: { atMost: 1.3 }, memoryBytes: { atMost: 512e6 } },
      growthAt10x: usage.cpuSeconds / count / (lesser.cpuSeconds / (count / 10)),
      ...usage,
    }),
  ];
}

async function importRecords(context: BenchContext): Promise<readonly Result[]> {
  const greatest = context.sized(seedCounts.records);
  const measure = async (count: number) => {
    const lines = await seedLines('records', count, context);
    const bareSeconds = await insertBare(join(context.directory, `bare-${count}.db`), lines);
    const { usage } = await importSeed('records', count, context);
    return { count, usage, bareSeconds };
  };
  const [lesser, greater] = [await measure(greatest / 10), await measure(greatest)];
  const growthAt10x = greater.usage.cpuSeconds / (10 * lesser.usage.cpuSeconds);
  const wantedRates = [2500, 1500];
  return [lesser, greater].map(({ count, usage, bareSeconds }, at) =>
    resultOf({
      work: `import of ${count.toLocaleString('en')} domain records`,
      ours: { value: count / usage.seconds, unit: 'records/s' },
      peer: { name: 'JSON into one SQLite table', value: count / bareSeconds, unit: 'records/s' },
      wanted: { ours: { atLeast: wantedRates[at] ?? 0 } },
      ...(at === 0 ? { growthAt10x } : {}),
      ...usage,
    }),
  );
}

async function insertBare(path: string, lines: string): Promise<number> {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = full');
  database.exec('create table record (domain text primary key, doc text) strict, without rowid');
  const insert = database.prepare('insert or replace into record values (?, ?)');
  const insertAll = database.transaction((some: readonly string[]) => {
    for (const line of some) insert.run((JSON.parse(line) as { domain: string }).domain, line);
  });
  const began = performance.now();
  let pending: string[] = [];
  for await (const line of createInterface({ input: createReadStream(lines) })) {
    if (pending.push(line) < recordsPerCommit) continue;
    insertAll(pending);
    pending = [];
  }
  insertAll(pending);
  const seconds = (performance.now() - began) / 1000;
  database.close();
  rmSync(path);
  return seconds;
}
