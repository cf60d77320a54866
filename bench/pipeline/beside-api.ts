/** Full collections by the worker of a server that answers meanwhile: whether the event loop of its API feels them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext, Result } from '../harness/benchmark.ts';
import { usageOf } from '../harness/usage.ts';
import { newCaller } from '../serving/accounts.ts';
import { pausesWhile } from '../serving/api-pauses.ts';
import { metricIn } from '../serving/reported-metrics.ts';
import { startWatchedServer } from '../serving/watched-server.ts';
import { startListedWorld } from './listed-world.ts';

const betweenReadingsMs = 500;
const withinMs = 300_000;

export async function collectionsBesideApi(context: BenchContext): Promise<readonly Result[]> {
  const directory = join(context.directory, 'beside-api');
  const [data, lists] = [join(directory, 'data'), join(directory, 'lists')];
  mkdirSync(lists, { recursive: true });
  const headers = await newCaller(data);
  const world = await startListedWorld(
    join(directory, 'world'),
    context.sized({ tiny: 10, small: 200, full: 1000 }),
    context,
  );
  const settings = {
    ...world.settings,
    'collect.domainsAtOnce': '32',
    'collect.serverRequestsMax': '1000',
    'collect.serverPauseMilliseconds': '0',
    'sources.nameLists': JSON.stringify([{ name: 'list', location: lists }]),
    'sources.pollSeconds': '1',
  };
  const server = await startWatchedServer({ data, settings }, context);
  const work = `full collections of ${world.domains.length.toLocaleString('en')} domains by a server`;
  const results = await pausesWhile(work, { server, headers }, context, async (readMetrics) =>
    usageOf(server.pid, async () => {
      writeFileSync(join(lists, 'domains.txt'), `${world.domains.join('\n')}\n`);
      await untilCollected(world.domains.length, readMetrics);
    }),
  );
  await server.stop();
  return results;
}

async function untilCollected(count: number, readMetrics: () => Promise<string>): Promise<void> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const collected = metricIn(await readMetrics(), 'collectors', 'domains');
    if (collected >= count) return;
    if (performance.now() > endMs) throw new Error(`only ${collected} of ${count} domains were collected`);
    await pause(betweenReadingsMs);
  }
}
