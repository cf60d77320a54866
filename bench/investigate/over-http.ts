/**
 * The same questions over HTTP, where each answer has the counts of all values, against a bare route that sends the same bytes: asked again and
 * again, as playbooks do, and pivots that nobody has asked before.
 */
import { questions } from '../data/investigate-queries.ts';
import { recordOf } from '../data/record-lines.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { interleave } from '../harness/interleave.ts';
import { newCaller } from '../serving/accounts.ts';
import { againstBare, rateResult } from '../serving/against-bare.ts';
import { recordAnswers, startBare } from '../serving/bare-answers.ts';
import { load } from '../serving/load.ts';
import { seeded } from '../serving/seeds.ts';
import { type Serving, startServer } from '../serving/serving-process.ts';

const connections = 8;
const pathsMax = 60;

/** A server that answers and does nothing else: what is new in a million records would keep a worker busy for long. */
export async function investigateOverHttp(count: number, context: BenchContext): Promise<readonly Result[]> {
  const { sized } = context;
  const { data } = await seeded('records', count, context);
  const headers = await newCaller(data);
  const server = await startServer({ data, role: 'api' }, context);
  const asked = questions
    .filter((_, at) => context.size !== 'tiny' || at === 0 || at === questions.length - 1)
    .map((question) => {
      const { name, counted = false, count: different } = question;
      const queries = Array.from(
        { length: Math.min(different, pathsMax) },
        (_, at) => question.ask(at, count).query,
      );
      const paths = queries.map((query) => `/v1/intel-investigate/?${new URLSearchParams(query).toString()}`);
      return { name, counted, paths: [...new Set(paths)] };
    });
  const answers = await recordAnswers(
    server,
    asked.flatMap(({ paths }) => paths),
    headers,
  );
  const bare = await startBare(answers, 'bytes', context);
  const results: Result[] = [];
  for (const { name, counted, paths } of asked) {
    const requests = sized({ tiny: 40, small: 2000, full: 20_000 }) / (counted ? 10 : 1);
    const compared = await againstBare({ server, bare }, { paths, headers, connections, requests }, context);
    results.push(
      rateResult(`Investigate over HTTP: ${name}, ${connections} connections`, compared, {
        wanted: { ratio: { atLeast: 0.4 } },
      }),
    );
  }
  await bare.stop();
  await server.stop();
  return [...results, await newPivots({ data, count, headers }, context)];
}

interface PivotNeeds {
  readonly data: string;
  readonly count: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Each question once, of a server that has answered none of them. */
async function newPivots({ data, count, headers }: PivotNeeds, context: BenchContext): Promise<Result> {
  const rounds = context.sized({ tiny: 1, small: 3, full: 5 });
  const perRound = context.sized({ tiny: 10, small: 100, full: 400 });
  const paths = pivotsOf((rounds + 1) * perRound, count);
  const answering = await startServer({ data, role: 'api' }, context);
  const bare = await startBare(await recordAnswers(answering, paths, headers), 'bytes', context);
  await answering.stop();
  const server = await startServer({ data, role: 'api' }, context);
  const ask = (serving: Serving, round: number) => {
    const some = paths.slice(round * perRound, (round + 1) * perRound);
    return load(serving, { paths: some, headers, connections, requests: some.length });
  };
  for (const serving of [bare, server]) await ask(serving, 0);
  let [ours, peers] = [0, 0];
  const rate = await interleave(rounds, {
    ours: async () => {
      const loaded = await ask(server, ++ours);
      return { ...loaded, value: loaded.perSecond };
    },
    peer: async () => (await ask(bare, ++peers)).perSecond,
  });
  await bare.stop();
  await server.stop();
  return resultOf({
    work: `Investigate over HTTP: pivots on addresses, each a new one, ${connections} connections`,
    ours: { value: rate.ours, unit: 'requests/s' },
    peer: { name: 'bare Fastify route', value: rate.peer, unit: 'requests/s' },
    ratio: rate.ratio,
    wanted: { ratio: { atLeast: 0.4 } },
    cpuSeconds: rate.cpuSeconds,
    memoryBytes: rate.memoryBytes,
  });
}

function pivotsOf(wanted: number, count: number): readonly string[] {
  const addresses = new Set<string>();
  for (let at = 0; at < count && addresses.size < wanted; at += 1)
    addresses.add(recordOf((at * 7919) % count, count).ip[0]?.address ?? '');
  return [...addresses].map((address) => `/v1/intel-investigate/?ip=${address}`);
}
