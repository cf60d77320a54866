/** Imports into the data of a server that answers meanwhile: whether its event loop feels them. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext, Result } from '../harness/benchmark.ts';
import { pauseResult } from '../harness/longest-pause.ts';
import { newCaller } from '../serving/accounts.ts';
import { longestReportedPauseMs } from '../serving/reported-pauses.ts';
import { runNameglass } from '../serving/run-command.ts';
import { seedCounts, seedLines } from '../serving/seeds.ts';
import { type Serving, startServer } from '../serving/serving-process.ts';

const betweenRequestsMs = 20;

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
    const client = new SteadyClient(server, headers);
    // The first requests compile code.
    await pause(context.sized({ tiny: 500, small: 2000, full: 5000 }));
    await longestReportedPauseMs(server.url);
    const usage = await runNameglass('import', kind, ...options, lines, '--data', data);
    const pauseMs = await longestReportedPauseMs(server.url);
    const work = `import of ${count.toLocaleString('en')} ${what} beside a server`;
    context.note(`${work}: ${await client.stop()} requests were answered meanwhile`);
    results.push(pauseResult(work, pauseMs, usage));
  }
  await server.stop();
  return results;
}

/** One request after another, as a person at a web page makes them. */
class SteadyClient {
  readonly #abort = new AbortController();
  readonly #done: Promise<number>;

  constructor(server: Serving, headers: Readonly<Record<string, string>>) {
    this.#done = this.#request(server, headers);
    // `stop` reports it.
    this.#done.catch(() => undefined);
  }

  /** How many were answered. */
  stop(): Promise<number> {
    this.#abort.abort();
    return this.#done;
  }

  async #request({ url }: Serving, headers: Readonly<Record<string, string>>): Promise<number> {
    let answered = 0;
    while (!this.#abort.signal.aborted) {
      const answer = await fetch(`${url}/v1/account/`, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`the server answered with ${answer.status}`);
      answered += 1;
      await pause(betweenRequestsMs);
    }
    return answered;
  }
}
