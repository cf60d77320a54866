/** Enrich over HTTP, of one domain and of a hundred at once, against a bare route that sends the same bytes; with ten times the records beside. */
import { recordOf } from './data/record-lines.ts';
import { type Bench, type BenchContext } from './harness/benchmark.ts';
import { newCaller } from './serving/accounts.ts';
import { type AgainstBare, againstBare, rateResult } from './serving/against-bare.ts';
import { recordAnswers, startBare } from './serving/bare-answers.ts';
import { seedCounts, seeded } from './serving/seeds.ts';
import { startServer } from './serving/serving-process.ts';

const connections = 8;
const kinds = [
  { what: 'Enrich of one domain', domains: 1, paths: 500 },
  { what: 'Enrich of 100 domains', domains: 100, paths: 20 },
] as const;

export const bench: Bench = async (context) => {
  const count = context.sized(seedCounts.records);
  const lesser = await measureSize(count / 10, context);
  const greater = await measureSize(count, context);
  return greater.map((compared, at) =>
    rateResult(`${kinds[at]?.what}, ${connections} connections`, compared, {
      wanted: { ratio: { atLeast: 0.4 }, growthAt10x: { atMost: 1.3 } },
      growthAt10x: compared.middle.cpuMicrosecondsEach / (lesser[at]?.middle.cpuMicrosecondsEach ?? 0),
    }),
  );
};

async function measureSize(count: number, context: BenchContext): Promise<readonly AgainstBare[]> {
  const { sized } = context;
  const { data } = await seeded('records', count, context);
  const headers = await newCaller(data);
  const server = await startServer({ data, role: 'api' }, context);
  const paths = kinds.map((kind) => pathsOf(kind, count));
  const bare = await startBare(await recordAnswers(server, paths.flat(), headers), 'bytes', context);
  const compared: AgainstBare[] = [];
  for (const [at, kind] of kinds.entries()) {
    const requests = sized({ tiny: 40, small: 1000, full: 10_000 }) / (kind.domains === 1 ? 1 : 10);
    const options = { paths: paths[at] ?? [], headers, connections, requests };
    compared.push(await againstBare({ server, bare }, options, context));
  }
  await bare.stop();
  await server.stop();
  return compared;
}

/** Domains from all over the store, in a different order than they were imported in. */
function pathsOf({ domains, paths }: (typeof kinds)[number], count: number): readonly string[] {
  const nameAt = (number: number) => recordOf((number * 7919) % count, count).domain;
  return Array.from({ length: Math.min(paths, Math.ceil(count / domains)) }, (_, path) => {
    const names = Array.from({ length: domains }, (_one, at) => nameAt(path * domains + at));
    return `/v1/intel-enrich/?domain=${names.join(',')}`;
  });
}
