/**
 * Pauses of the event loop of an API while something else is done and somebody uses it. A bare route, used in the same way at the same time, says
 * what any process would have had to wait on this machine; the processor time between two turns says what is work of the API itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchContext, type Result, resultOf, type Usage } from '../harness/benchmark.ts';
import { pauseMsMax, pauseResult } from '../harness/longest-pause.ts';
import { recordAnswers, startBare } from './bare-answers.ts';
import { longestPauseIn, metricsOf } from './reported-metrics.ts';
import type { Serving } from './serving-process.ts';
import { SteadyClient } from './steady-client.ts';
import type { WatchedServer } from './watched-server.ts';

const path = '/v1/account/';

interface Beside {
  readonly server: WatchedServer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The rows of work that is given a way to read the server's metrics: each reading forgets the pauses before it, and this one remembers them. */
export async function pausesWhile(
  work: string,
  { server, headers }: Beside,
  context: BenchContext,
  perform: (readMetrics: () => Promise<string>) => Promise<Usage>,
): Promise<readonly Result[]> {
  const client = new SteadyClient(server, path, headers);
  const bare = await BareBeside.start({ server, headers }, context);
  let longestPauseMs = 0;
  const readMetrics = async () => {
    const text = await metricsOf(server.url);
    longestPauseMs = Math.max(longestPauseMs, longestPauseIn(text));
    return text;
  };
  // The first requests compile code.
  await pause(context.sized({ tiny: 500, small: 2000, full: 5000 }));
  await readMetrics();
  await bare.readPauseMs();
  longestPauseMs = 0;
  const sinceMs = Date.now();
  const usage = await perform(readMetrics);
  await readMetrics();
  const barePauseMs = await bare.readPauseMs();
  const longestWorkMs = await server.longestWorkMs(sinceMs);
  context.note(`${work}: ${await client.stop()} requests were answered meanwhile`);
  await bare.stop();
  return [
    pauseResult(work, longestPauseMs, usage, { whose: "the API's event loop", bareMs: barePauseMs }),
    resultOf({
      work: `longest work of the API between two turns of its event loop: ${work}`,
      ours: { value: longestWorkMs, unit: 'ms' },
      wanted: { ours: { atMost: pauseMsMax } },
      ...usage,
    }),
  ];
}

export class BareBeside {
  readonly #serving: Serving;
  readonly #client: SteadyClient;

  private constructor(serving: Serving) {
    this.#serving = serving;
    this.#client = new SteadyClient(serving, path, {});
  }

  static async start({ server, headers }: Beside, context: BenchContext): Promise<BareBeside> {
    const answers = await recordAnswers(server, [path], headers);
    return new BareBeside(await startBare(answers, 'values', context, ['--metrics']));
  }

  /** The longest since the reading before. */
  async readPauseMs(): Promise<number> {
    return longestPauseIn(await metricsOf(this.#serving.url));
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    await this.#serving.stop();
  }
}
