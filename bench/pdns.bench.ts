/**
 * Passive DNS over HTTP at two sizes, ten times apart: lookups of a server that only answers and of one that does everything, against a bare
 * route that sends the same bytes; a stream of up to a million rows; searches by pattern, against GNU grep. With `--store distributed` the stores of
 * several nodes beside the embedded one instead.
 */
import { type Bench, type BenchContext, type Result, resultOf, type Usage } from './harness/benchmark.ts';
import { benchLookups, singleLookup } from './pdns/lookups.ts';
import { type QueriedNames, queriedNames } from './pdns/queried-names.ts';
import { benchStores } from './pdns/stores/bench-stores.ts';
import {
  measureBareStream,
  measureGrep,
  measureSearches,
  measureStream,
} from './pdns/streams-and-searches.ts';
import { newCaller } from './serving/accounts.ts';
import { seedCounts, seeded } from './serving/seeds.ts';
import { type Serving, startServer } from './serving/serving-process.ts';

interface Site {
  readonly server: Serving;
  readonly headers: Readonly<Record<string, string>>;
  readonly names: QueriedNames;
  readonly lines: string;
}

export const bench: Bench = async (context) => {
  if (context.options.store === 'distributed') return benchStores(context);
  const count = context.sized(seedCounts.rrsets);
  const small = await startSite(count / 10, 'api', context);
  const lesser = await measureAll(small, context);
  await small.server.stop();
  const site = await startSite(count, 'api', context);
  const greater = await measureAll(site, context);
  const bareStream = await measureBareStream(site.server, site.headers, context);
  const grepMs = await measureGrep(site.lines);
  const lookups = await benchLookups({ ...site, serve: 'serve --role api' }, context);
  await site.server.stop();
  const { single, stream, search } = greater;
  const from = `${count.toLocaleString('en')} lines`;
  return [
    ...lookups,
    ...(context.size === 'tiny' ? [] : await lookupsOfWholeServer(count, context)),
    resultOf({
      work: 'lookups searched for, one after another',
      ours: { value: single.p50Ms, unit: 'ms' },
      wanted: { growthAt10x: { atMost: 1.3 } },
      growthAt10x: single.cpuMicrosecondsEach / lesser.single.cpuMicrosecondsEach,
      ...usageOf(single),
    }),
    resultOf({
      work: `stream of ${stream.rows.toLocaleString('en')} rows from ${from}`,
      ours: { value: stream.rowsPerSecond, unit: 'rows/s' },
      peer: { name: 'bare route, same bytes', value: bareStream, unit: 'rows/s' },
      growthAt10x: lesser.stream.rowsPerSecond / stream.rowsPerSecond,
      ...usageOf(stream),
    }),
    resultOf({
      work: `search by pattern in ${from}`,
      ours: { value: search.ms, unit: 'ms' },
      peer: { name: 'GNU grep', value: grepMs, unit: 'ms' },
      growthAt10x: search.ms / lesser.search.ms,
      ...usageOf(search),
    }),
  ];
};

const usageOf = ({ cpuSeconds, memoryBytes }: Usage): Usage => ({ cpuSeconds, memoryBytes });

async function startSite(count: number, role: 'api' | 'all', context: BenchContext): Promise<Site> {
  const { data, lines } = await seeded('rrsets', count, context);
  const names = await queriedNames(data);
  const headers = await newCaller(data);
  return { names, headers, lines, server: await startServer({ data, role }, context) };
}

async function measureAll({ server, headers, names }: Site, { sized }: BenchContext) {
  const requests = sized({ tiny: 50, small: 1000, full: 5000 });
  return {
    single: await singleLookup(server, names.names, { headers, requests }),
    stream: await measureStream(server, headers, sized({ tiny: 1, small: 3, full: 3 })),
    search: await measureSearches(server, headers),
  };
}

async function lookupsOfWholeServer(count: number, context: BenchContext): Promise<readonly Result[]> {
  const site = await startSite(count, 'all', context);
  const results = await benchLookups({ ...site, serve: 'serve' }, context);
  await site.server.stop();
  return results;
}
