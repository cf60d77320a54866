/** What one request costs that finds nothing or little, however much is kept: one after another, against a bare answer of the server. */
import { join } from 'node:path';
import type { NewKeys } from '../../src/product/account/operate.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { type BenchContext, type Result, resultOf, type Usage } from '../harness/benchmark.ts';
import { usageOf } from '../harness/usage.ts';
import { createUsers } from '../serving/accounts.ts';
import { type Serving, startServer } from '../serving/serving-process.ts';
import { fetchBody, fillStream, lastFullMinute, minuteMs } from './channel-lines.ts';

const bytesPerMinute = 16_384;

interface Cost extends Usage {
  readonly ms: number;
}

interface Costs {
  readonly ping: Cost;
  readonly poll: Cost;
  readonly details: Cost;
  readonly fetch: Cost;
}

export async function benchPolls(context: BenchContext): Promise<readonly Result[]> {
  const minutes = context.sized({ tiny: 20, small: 200, full: 700 });
  const { lesser, greater } = await measureBoth(minutes, context);
  const kept = `${(10 * minutes).toLocaleString('en')} minutes kept`;
  return (
    [
      ['poll of a feed that finds nothing new', 'poll'],
      ['chdetails', 'details'],
      ['chfetch of a minute', 'fetch'],
    ] as const
  ).map(([what, name]) =>
    resultOf({
      work: `${what}, ${kept}`,
      ours: { value: greater[name].ms, unit: 'ms' },
      peer: { name: 'healthz', value: greater.ping.ms, unit: 'ms' },
      wanted: { growthAt10x: { atMost: 1.3 } },
      growthAt10x: greater[name].ms / lesser[name].ms,
      cpuSeconds: greater[name].cpuSeconds,
      memoryBytes: greater[name].memoryBytes,
    }),
  );
}

/** A tenth of the minutes is there when the server starts; the others come while it runs. */
async function measureBoth(minutes: number, context: BenchContext) {
  const data = join(context.directory, 'retained');
  const endMs = lastFullMinute();
  const store = openStreamStore(data);
  const fill = async (count: number, untilMs: number) => {
    for (const stream of ['ch204', 'feed-nod'])
      await fillStream(store, { stream, minutes: count, bytesPerMinute, endMs: untilMs });
  };
  const earlierMs = endMs - 9 * minutes * minuteMs;
  await fill(minutes, earlierMs);
  const [keys] = await createUsers(data, ['bench']);
  if (!keys) throw new Error('there is no key');
  const server = await startServer({ data, role: 'api' }, context);
  const count = context.sized({ tiny: 20, small: 100, full: 300 });
  const lesser = await costsOf(server, keys, { endMs: earlierMs, count });
  await fill(9 * minutes, endMs);
  await store.close();
  const greater = await costsOf(server, keys, { endMs, count });
  await server.stop();
  return { lesser, greater };
}

interface Minutes {
  /** Of the minutes that are kept. */
  readonly endMs: number;
  readonly count: number;
}

async function costsOf(server: Serving, keys: NewKeys, { endMs, count }: Minutes): Promise<Costs> {
  const ask = async (path: string, options: RequestInit = {}) => {
    const answer = await fetch(server.url + path, options);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  const post = (operation: string, body: string) =>
    ask(`/batchd/v1/batch/${operation}`, { method: 'POST', body });
  const poll = () => ask('/v1/feed/nod/?sessionID=bench', { headers: { 'x-api-key': keys.apiKey } });
  const details = JSON.stringify({ apikey: keys.batchKey, channels: [204] });
  const minute = fetchBody(keys.batchKey, endMs - 2 * minuteMs, endMs - minuteMs);
  const each = async (work: () => Promise<void>): Promise<Cost> => {
    for (let index = 0; index < count / 5; index += 1) await work();
    const { seconds, cpuSeconds, memoryBytes } = await usageOf(server.pid, async () => {
      for (let index = 0; index < count; index += 1) await work();
    });
    return { ms: (seconds / count) * 1000, cpuSeconds, memoryBytes };
  };
  // What is new is read by then.
  await poll();
  return {
    ping: await each(() => ask('/healthz')),
    poll: await each(poll),
    details: await each(() => post('chdetails', details)),
    fetch: await each(() => post('chfetch', minute)),
  };
}
