/**
 * Memory of all processes together (PSS): a server that nobody uses, and one that streams up to a million rows of passive DNS while as many
 * records as in `import` lie beside them. That of the demonstration is in `start`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type BenchContext, type Result, resultOf } from './harness/benchmark.ts';
import { cpuSecondsOf, memoryBytesOf } from './harness/process-tree.ts';
import { measureStream } from './pdns/streams-and-searches.ts';
import { newCaller } from './serving/accounts.ts';
import { startBare } from './serving/bare-answers.ts';
import { runNameglass } from './serving/run-command.ts';
import { seedCounts, seeded, seedLines } from './serving/seeds.ts';
import { startServer } from './serving/serving-process.ts';

export const bench: Bench = async (context) => [await idle(context), await whileStreaming(context)];

async function idle(context: BenchContext): Promise<Result> {
  const bare = await startBare(
    { contentType: 'text/plain', bodies: { '/': '' }, bytes: 0 },
    'bytes',
    context,
  );
  const server = await startServer({ data: join(context.directory, 'empty'), role: 'all' }, context);
  const [url, { pid }] = [server.url, server];
  await fetch(`${url}/healthz`).then((answer) => answer.text());
  await pause(context.sized({ tiny: 1000, small: 10_000, full: 60_000 }));
  const memoryBytes = memoryBytesOf(pid);
  const result = resultOf({
    work: 'empty idle server, all processes',
    ours: { value: memoryBytes / 1e6, unit: 'MB' },
    peer: { name: 'bare Fastify', value: memoryBytesOf(bare.pid) / 1e6, unit: 'MB' },
    wanted: { ours: { atMost: 180 } },
    cpuSeconds: cpuSecondsOf(pid),
    memoryBytes,
  });
  await bare.stop();
  await server.stop();
  return result;
}

async function whileStreaming(context: BenchContext): Promise<Result> {
  const [rrsets, records] = [context.sized(seedCounts.rrsets), context.sized(seedCounts.records)];
  const { data } = await seeded('records', records, context);
  const mark = `${data}-with-${rrsets}-rrsets.complete`;
  if (!existsSync(mark)) {
    const lines = await seedLines('rrsets', rrsets, context);
    await runNameglass('import', 'rrsets', lines, '--format', 'cof', '--history', '--data', data);
    writeFileSync(mark, '');
  }
  const headers = await newCaller(data);
  const server = await startServer({ data, role: 'api' }, context);
  await fetch(`${server.url}/healthz`).then((answer) => answer.text());
  const before = memoryBytesOf(server.pid);
  const { rows, cpuSeconds, memoryBytes } = await measureStream(server, headers, 1);
  await server.stop();
  if (rows * 10 < rrsets) throw new Error(`only ${rows} rows were streamed`);
  return resultOf({
    work: `API process streaming ${rows.toLocaleString('en')} rows of ${rrsets.toLocaleString('en')}, ${records.toLocaleString('en')} records beside`,
    ours: { value: memoryBytes / 1e6, unit: 'MB' },
    peer: { name: 'the same before', value: before / 1e6, unit: 'MB' },
    wanted: { ours: { atMost: 350 } },
    cpuSeconds,
    memoryBytes,
  });
}
