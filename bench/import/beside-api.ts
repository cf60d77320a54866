/** Imports into the data of a server that answers meanwhile: whether its event loop feels them. */
import { join } from 'node:path';
import type { BenchContext, Result } from '../harness/benchmark.ts';
import { newCaller } from '../serving/accounts.ts';
import { pausesWhile } from '../serving/api-pauses.ts';
import { runNameglass } from '../serving/run-command.ts';
import { seedCounts, seedLines } from '../serving/seeds.ts';
import { startWatchedServer } from '../serving/watched-server.ts';

const kinds = [
  { kind: 'rrsets', what: 'passive DNS lines', options: ['--format', 'cof', '--history'] },
  { kind: 'records', what: 'domain records', options: [] },
] as const;

export async function importsBesideApi(context: BenchContext): Promise<readonly Result[]> {
  const data = join(context.directory, 'beside-api');
  const headers = await newCaller(data);
  const server = await startWatchedServer({ data }, context);
  const results: Result[] = [];
  for (const { kind, what, options } of kinds) {
    const count = context.sized(seedCounts[kind]) / 10;
    const lines = await seedLines(kind, count, context);
    const work = `import of ${count.toLocaleString('en')} ${what} beside a server`;
    results.push(
      ...(await pausesWhile(work, { server, headers }, context, () =>
        runNameglass('import', kind, ...options, lines, '--data', data),
      )),
    );
  }
  await server.stop();
  return results;
}
