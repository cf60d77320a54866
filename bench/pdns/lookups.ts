/** Lookups of names over HTTP, against a bare route that sends the same bytes. */
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { shownNumber } from '../harness/table.ts';
import { againstBare, rateResult } from '../serving/against-bare.ts';
import { recordAnswers, startBare } from '../serving/bare-answers.ts';
import { type Loaded, type LoadOptions, load } from '../serving/load.ts';
import type { Serving } from '../serving/serving-process.ts';
import { type Questions, wrkLatencies } from '../serving/wrk.ts';
import type { QueriedNames } from './queried-names.ts';

export interface LookupOptions {
  readonly server: Serving;
  readonly headers: Readonly<Record<string, string>>;
  readonly names: QueriedNames;
  /** How the server was started. */
  readonly serve: string;
}

interface Kind {
  readonly what: string;
  /** Of the bare route. */
  readonly wantedRatio: number;
  readonly pathOf: (name: string) => string;
}

const pathOf = (name: string) => `/pdns/v2/lookup/rrset/name/${name}`;
const kinds: readonly Kind[] = [
  { what: 'lookups asked again', wantedRatio: 0.65, pathOf },
  // A parameter without effect bypasses the cache of answers, so each of these lookups searches.
  { what: 'lookups searched for', wantedRatio: 0.5, pathOf: (name) => `${pathOf(name)}?humantime=f` },
];

export async function benchLookups(
  options: LookupOptions,
  context: BenchContext,
): Promise<readonly Result[]> {
  const { server, names } = options;
  const headers = { ...options.headers, accept: 'application/x-ndjson' };
  const paths = kinds.map((kind) => names.names.map(kind.pathOf));
  const bare = await startBare(await recordAnswers(server, paths.flat(), headers), 'bytes', context);
  const results: Result[] = [];
  for (const [at, kind] of kinds.entries())
    results.push(
      ...(await compare(kind, { ...options, bare, context }, { paths: paths[at] ?? [], headers })),
    );
  await bare.stop();
  return results;
}

interface Sides extends LookupOptions {
  readonly bare: Serving;
  readonly context: BenchContext;
}

async function compare(
  { what, wantedRatio }: Kind,
  { server, bare, serve, names: { rows }, context }: Sides,
  questions: Questions,
): Promise<readonly Result[]> {
  const requests = context.sized({ tiny: 1000, small: 5000, full: 40_000 });
  const compared = await againstBare({ server, bare }, { ...questions, requests }, context);
  const { middle, middleBare } = compared;
  const latencies = await wrkLatencies({ server, bare }, questions, context);
  const ofBare = shownNumber(latencies.bare.p99Ms / latencies.bare.p50Ms);
  const { cpuSeconds, memoryBytes } = middle;
  return [
    rateResult(`${what}, ${rows} rows, 32 connections, ${serve}`, compared, {
      unit: 'lookups/s',
      wanted: { ratio: { atLeast: wantedRatio } },
    }),
    resultOf({
      work: `CPU time of ${what}, ${serve}`,
      ours: { value: middle.cpuMicrosecondsEach, unit: 'µs' },
      peer: { name: 'bare Fastify route', value: middleBare.cpuMicrosecondsEach, unit: 'µs' },
      cpuSeconds,
      memoryBytes,
    }),
    resultOf({
      work: `p99 of ${what}, 32 connections of wrk, ${serve}`,
      ours: { value: latencies.server.p99Ms, unit: 'ms' },
      peer: { name: `their p50; of the bare route × ${ofBare}`, value: latencies.server.p50Ms, unit: 'ms' },
      wanted: { ratio: { atMost: 3 } },
      cpuSeconds,
      memoryBytes,
    }),
  ];
}

/** One after another, searched for: what a lookup costs by itself. */
export async function singleLookup(
  server: Serving,
  names: readonly string[],
  { headers, requests }: Pick<LoadOptions, 'headers' | 'requests'>,
): Promise<Loaded> {
  const paths = names.map((name) => `${pathOf(name)}?humantime=f`);
  const options = { paths, headers: headers ?? {}, requests, connections: 1 };
  await load(server, options);
  return load(server, options);
}
