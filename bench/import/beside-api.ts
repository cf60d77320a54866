/** Imports into the data of a server that answers meanwhile: whether its event loop feels them. */
import { join } from 'node:path';
import type { BenchContext, Result } from '../harness/benchmark.ts';
import { pauseResult } from '../harness/longest-pause.ts';
import { newCaller } from '../serving/accounts.ts';
import { runNameglass } from '../serving/run-command.ts';
import { seedCounts, seedLines } from '../serving/seeds.ts';
import { startServer } from '../serving/serving-process.ts';
import { whileAsked } from '../serving/steady-client.ts';

const kinds = [
  { kind: 'rrsets', what: 'passive DNS lines', options: ['--format', 'cof', '--history'] },
  { kind: 'records', what: 'domain records', options: [] },
] as const;

export async function importsBesideApi(context: BenchContext): Promise<readonly Result[]> {
  const data = join(context.directory, 'beside-api');
  const headers = await newCaller(data);
  const server = await startServer({ data, role: 'all' }, context);
  const results: Result[] = [];
  for (const { kind, what, options } of kinds) {
    const count = context.sized(seedCounts[kind]) / 10;
    const lines = await seedLines(kind, count, context);
    const { value, longestPauseMs, requestsAnswered } = await whileAsked({ server, headers }, context, () =>
      runNameglass('import', kind, ...options, lines, '--data', data),
    );
    const work = `import of ${count.toLocaleString('en')} ${what} beside a server`;
    context.note(`${work}: ${requestsAnswered} requests were answered meanwhile`);
    results.push(pauseResult(work, longestPauseMs, value, "the API's event loop"));
  }
  await server.stop();
  return results;
}
