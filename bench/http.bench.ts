/**
 * The account endpoint with header authentication, against a bare Fastify route that serializes the same value: of a server that only
 * answers, and of one that does everything. The cost of the code that every request passes.
 */
import { join } from 'node:path';
import { type Bench, type BenchContext, type Result, resultOf } from './harness/benchmark.ts';
import { createUsers } from './serving/accounts.ts';
import { type AgainstBare, againstBare, rateResult } from './serving/against-bare.ts';
import { recordAnswers, startBare } from './serving/bare-answers.ts';
import { load } from './serving/load.ts';
import { startServer } from './serving/serving-process.ts';

const path = '/v1/account/';

export const bench: Bench = async (context) => [
  ...(context.size === 'tiny' ? [] : await benchRole('api', context)),
  ...(await benchRole('all', context)),
];

async function benchRole(role: 'api' | 'all', context: BenchContext): Promise<readonly Result[]> {
  const { directory, sized } = context;
  const users = sized({ tiny: 5, small: 50, full: 500 });
  const data = join(directory, role);
  const [keys] = await createUsers(data, namesOf(users, 'few'));
  const server = await startServer({ data, role }, context);
  const headers = { 'x-api-key': keys?.apiKey ?? '' };
  const bare = await startBare(await recordAnswers(server, [path], headers), 'values', context);
  const options = { paths: [path], headers, requests: sized({ tiny: 1000, small: 6000, full: 40_000 }) };
  const compared = await againstBare({ server, bare }, options, context);
  const accepting = { ...options, headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' } };
  const compressed = role === 'all' ? await againstBare({ server, bare }, accepting, context) : undefined;
  await createUsers(data, namesOf(9 * users, 'more'));
  const many = await load(server, options);
  await bare.stop();
  await server.stop();
  const { middle, middleBare } = compared;
  const name = role === 'api' ? 'serve --role api' : 'serve';
  return [
    rateResult(`account endpoint, 32 connections, ${name}`, compared, {
      wanted: { ratio: { atLeast: 0.7 } },
      growthAt10x: many.cpuMicrosecondsEach / middle.cpuMicrosecondsEach,
    }),
    resultOf({
      work: `CPU time of an account request, ${name}`,
      ours: { value: middle.cpuMicrosecondsEach, unit: 'µs' },
      peer: { name: 'bare Fastify route', value: middleBare.cpuMicrosecondsEach, unit: 'µs' },
      cpuSeconds: middle.cpuSeconds,
      memoryBytes: middle.memoryBytes,
    }),
    ...(compressed ? [compressedResult(compressed)] : []),
  ];
}

/** As most libraries ask: their answers are sent compressed. */
function compressedResult(compared: AgainstBare): Result {
  return rateResult('account endpoint, 32 connections that accept gzip, serve', compared, {
    wanted: { ratio: { atLeast: 0.7 } },
  });
}

const namesOf = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word}-${at}`);
