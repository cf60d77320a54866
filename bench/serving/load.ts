/** Requests over HTTP on many connections, and what they cost the server. */
import autocannon from 'autocannon';
import type { Usage } from '../harness/benchmark.ts';
import { quantile } from '../harness/interleave.ts';
import { usageOf } from '../harness/usage.ts';
import type { Serving } from './serving-process.ts';

export interface LoadOptions {
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
  /** Of all connections together. */
  readonly requests: number;
}

export interface Loaded extends Usage {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server. */
  readonly cpuMicrosecondsEach: number;
}

export const connectionsUsually = 32;

/** A fixed number of requests, so that CPU times of two runs can be compared. An answer other than 2xx is an error. */
export async function load(server: Serving, options: LoadOptions): Promise<Loaded> {
  const { paths, headers = {}, connections = connectionsUsually, requests } = options;
  const latencies: number[] = [];
  const asked = paths.map((path) => ({ path, method: 'GET' as const }));
  let [clients, lastAt] = [0, 0];
  const began = performance.now();
  const used = await usageOf(
    server.pid,
    () =>
      new Promise<autocannon.Result>((resolve, reject) => {
        const given = {
          url: server.url,
          headers: { ...headers },
          connections: Math.min(connections, requests),
          amount: requests,
          // Each connection begins elsewhere: otherwise all of them would ask for the same at the same time.
          setupClient: (client: autocannon.Client) => {
            const from = Math.floor((clients * asked.length) / connections);
            clients += 1;
            client.setRequests([...asked.slice(from), ...asked.slice(0, from)]);
          },
        };
        const running = autocannon(given, (error: Error | null, result) =>
          error ? reject(error) : resolve(result),
        );
        running.on('response', (_client, _status, _bytes, ms) => {
          latencies.push(ms);
          lastAt = performance.now();
        });
      }),
  );
  const { non2xx, errors } = used.value;
  if (non2xx > 0 || errors > 0)
    throw new Error(`${server.url}${paths[0] ?? ''}: ${non2xx} bad answers, ${errors} errors`);
  return {
    // The library ends up to a second later.
    perSecond: latencies.length / ((lastAt - began) / 1000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMicrosecondsEach: (used.cpuSeconds / latencies.length) * 1e6,
    cpuSeconds: used.cpuSeconds,
    memoryBytes: used.memoryBytes,
  };
}
