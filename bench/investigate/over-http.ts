/** The same questions over HTTP, where each answer has the counts of all values, against a bare route that sends the same bytes. */
import { questions } from '../data/investigate-queries.ts';
import type { BenchContext, Result } from '../harness/benchmark.ts';
import { newCaller } from '../serving/accounts.ts';
import { againstBare, rateResult } from '../serving/against-bare.ts';
import { recordAnswers, startBare } from '../serving/bare-answers.ts';
import { seeded } from '../serving/seeds.ts';
import { startServer } from '../serving/serving-process.ts';

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
  return results;
}
