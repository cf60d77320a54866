/** One request after another, as a person at a web page makes them, and what a server reports while it answers them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext } from '../harness/benchmark.ts';
import { longestPauseIn, metricsOf } from './reported-metrics.ts';
import type { Serving } from './serving-process.ts';

const betweenRequestsMs = 20;

export interface Watched<Value> {
  readonly value: Value;
  readonly longestPauseMs: number;
  readonly requestsAnswered: number;
}

/**
 * The longest pause of the event loop of the API while something else is done, and somebody uses it. Each reading of the metrics forgets the pauses
 * before it, so `work` is given a way to read them that remembers.
 */
export async function whileAsked<Value>(
  { server, headers }: { readonly server: Serving; readonly headers: Readonly<Record<string, string>> },
  { sized }: Pick<BenchContext, 'sized'>,
  work: (readMetrics: () => Promise<string>) => Promise<Value>,
): Promise<Watched<Value>> {
  let longestPauseMs = 0;
  const readMetrics = async () => {
    const text = await metricsOf(server.url);
    longestPauseMs = Math.max(longestPauseMs, longestPauseIn(text));
    return text;
  };
  const client = new SteadyClient(server, headers);
  // The first requests compile code.
  await pause(sized({ tiny: 500, small: 2000, full: 5000 }));
  await readMetrics();
  longestPauseMs = 0;
  const value = await work(readMetrics);
  await readMetrics();
  return { value, longestPauseMs, requestsAnswered: await client.stop() };
}

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
