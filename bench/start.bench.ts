/**
 * The first minutes: how long the demonstration takes to its first answer, with and without compiled code and data of an earlier start,
 * until its first lookalike has a picture, and the memory that it takes then. At full size also `npm start` in a fresh clone. The
 * demonstration is the subject here, and of no other benchmark.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compileCache, program } from '../test/harness/server/program.ts';
import {
  type Bench,
  type BenchContext,
  type Figure,
  type Peer,
  type Result,
  resultOf,
  type Usage,
} from './harness/benchmark.ts';
import { cpuSecondsOf, memoryBytesOf } from './harness/process-tree.ts';
import { startBare } from './serving/bare-answers.ts';
import { type Serving, startServing } from './serving/serving-process.ts';
import { freshCloneSeconds } from './start/fresh-clone.ts';
import { withoutBrowser } from './start/without-browser.ts';
import { needBrowser } from './web/open-web-app.ts';

const pictureSecondsMax = 300;

export const bench: Bench = async (context) => {
  needBrowser();
  const { directory, size } = context;
  // Compiling everything anew takes seconds, which a test need not spend.
  const cache = size === 'tiny' ? compileCache : join(directory, 'compile-cache');
  mkdirSync(cache, { recursive: true });
  const bareBegan = performance.now();
  const bare = await startBare(
    { contentType: 'text/plain', bodies: { '/': 'ok' }, bytes: 2 },
    'bytes',
    context,
  );
  await (await fetch(bare.url)).text();
  const bareSeconds = secondsSince(bareBegan);
  await bare.stop();
  const peer = { name: 'bare Fastify', value: bareSeconds, unit: 's' };
  const cold = await startDemo(cache, context);
  const picture = await untilPicture(cold, context);
  const results = [
    resultOf({
      work: 'start of the demonstration to the first answer, cold',
      ours: { value: cold.seconds, unit: 's' },
      peer,
      ...cold.usage,
    }),
    // A second start is the same code.
    ...(size === 'tiny' ? [] : [await warmStart(cold.key, { cache, peer, context })]),
    ...picture,
  ];
  return size === 'full' ? [...results, await freshClone(context)] : results;
};

interface Warm {
  readonly cache: string;
  readonly peer: Peer;
  readonly context: BenchContext;
}

async function warmStart(key: string, { cache, peer, context }: Warm): Promise<Result> {
  const { server, seconds, usage } = await startDemo(cache, context, key);
  await server.stop();
  return resultOf({
    work: 'start of the demonstration to the first answer, warm',
    ours: { value: seconds, unit: 's' },
    peer,
    wanted: { ours: { atMost: 2 } },
    ...usage,
  });
}

const secondsSince = (beganMs: number) => (performance.now() - beganMs) / 1000;

interface Demo {
  readonly server: Serving;
  readonly key: string;
  readonly beganMs: number;
  readonly seconds: number;
  readonly usage: Usage;
}

const limits = ['limits.detect.newDomainsQueriesPerHour=100000', 'limits.productRequestsPerMinute=100000'];

/** The key is printed at the first start alone. */
async function startDemo(cache: string, context: BenchContext, known?: string): Promise<Demo> {
  const data = join(context.directory, 'demo');
  const beganMs = performance.now();
  const args = [program, 'serve', '--demo', '--port', '0', '--data', data, '--set', ...limits];
  const server = await startServing(args, context, { NODE_COMPILE_CACHE: cache });
  const key = known ?? (await printedKey(server));
  const answer = await fetch(`${server.url}/v1/account/`, { headers: { 'x-api-key': key } });
  await answer.text();
  if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}`);
  const seconds = secondsSince(beganMs);
  const usage = { cpuSeconds: cpuSecondsOf(server.pid), memoryBytes: memoryBytesOf(server.pid) };
  return { server, key, beganMs, seconds, usage };
}

async function printedKey({ output }: Serving): Promise<string> {
  for (;;) {
    const found = /API key +(\S+)/.exec(output())?.[1];
    if (found !== undefined) return found;
    await pause(20);
  }
}

interface NewDomains {
  readonly watchlist_domains: readonly { readonly domain: string; readonly screenshot?: object }[];
}

async function untilPicture(
  { server, key, beganMs }: Demo,
  context: BenchContext,
): Promise<readonly Result[]> {
  let lookalikeSeconds: number | undefined;
  for (;;) {
    const answer = await fetch(`${server.url}/v1/intel-detect/domains/new/?screenshots=true`, {
      headers: { 'x-api-key': key },
    });
    const found = (await answer.json()) as NewDomains;
    if (answer.status !== 200) throw new Error(JSON.stringify(found));
    const domains = found.watchlist_domains;
    if (domains.length > 0) lookalikeSeconds ??= secondsSince(beganMs);
    if (domains.some(({ screenshot }) => screenshot !== undefined)) break;
    if (secondsSince(beganMs) > pictureSecondsMax) throw new Error('no lookalike has a picture');
    await pause(200);
  }
  const seconds = secondsSince(beganMs);
  const [cpuSeconds, memoryBytes] = [cpuSecondsOf(server.pid), memoryBytesOf(server.pid)];
  const first = memoryBytesOf(server.pid, withoutBrowser);
  await pause(context.sized({ tiny: 0, small: 5000, full: 60_000 }));
  const later = memoryBytesOf(server.pid, withoutBrowser);
  await server.stop();
  const row = (work: string, ours: Figure, most?: number) =>
    resultOf({
      work,
      ours,
      ...(most === undefined ? {} : { wanted: { ours: { atMost: most } } }),
      cpuSeconds,
      memoryBytes,
    });
  return [
    row('first lookalike of the demonstration', { value: lookalikeSeconds ?? seconds, unit: 's' }),
    row('first lookalike of the demonstration with a picture', { value: seconds, unit: 's' }, 15),
    row(
      'demonstration, all processes without the browser',
      { value: Math.max(first, later) / 1e6, unit: 'MB' },
      600,
    ),
  ];
}

async function freshClone(context: BenchContext): Promise<Result> {
  const { seconds, ...usage } = await freshCloneSeconds(context);
  return resultOf({
    work: 'npm start in a fresh clone to the first answer',
    ours: { value: seconds, unit: 's' },
    wanted: { ours: { atMost: 45 } },
    ...usage,
  });
}
