/**
 * Latencies as wrk measures them, a client in C. One in JavaScript collects garbage while answers wait to be read, which alone makes the p99 of a
 * bare route four times its p50.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasPackage } from '../../test/harness/debian-package.ts';
import { type BenchContext, MissingSoftware } from '../harness/benchmark.ts';
import { quantile } from '../harness/interleave.ts';
import { connectionsUsually } from './load.ts';
import type { Serving } from './serving-process.ts';

export interface Questions {
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The round with the median p99 of each, in alternation. An answer other than 2xx or 3xx is an error. */
export async function wrkLatencies<Name extends string>(
  servers: Readonly<Record<Name, Serving>>,
  questions: Questions,
  { directory, sized }: Pick<BenchContext, 'directory' | 'sized'>,
): Promise<Readonly<Record<Name, Latencies>>> {
  if (!hasPackage('wrk', 'wrk')) throw new MissingSoftware('no wrk (apt-get install wrk)');
  const script = join(directory, `ask-${Math.random().toString(36).slice(2)}.lua`);
  writeFileSync(script, scriptOf(questions));
  const seconds = sized({ tiny: 1, small: 2, full: 3 });
  const named = Object.entries(servers) as [Name, Serving][];
  const rounds = new Map<Name, Latencies[]>(named.map(([name]) => [name, []]));
  for (let round = 0; round < sized({ tiny: 1, small: 3, full: 5 }); round += 1)
    for (const [name, { url }] of named) rounds.get(name)?.push(await askFor(seconds, url, script));
  return Object.fromEntries(named.map(([name]) => [name, middleOf(rounds.get(name) ?? [])])) as Record<
    Name,
    Latencies
  >;
}

function middleOf(rounds: readonly Latencies[]): Latencies {
  const p99Ms = quantile(
    rounds.map((round) => round.p99Ms),
    0.5,
  );
  const middle = rounds.find((round) => round.p99Ms === p99Ms);
  if (!middle) throw new Error('there was no round');
  return middle;
}

async function askFor(seconds: number, url: string, script: string): Promise<Latencies> {
  const flags = ['--threads', '1', '--connections', String(connectionsUsually), '--duration', `${seconds}s`];
  const { stdout } = await promisify(execFile)('wrk', [...flags, '--script', script, url]);
  const [p50Ms = 0, p99Ms = 0, requests = 0, errors = 0] = (/^result (.*)$/m.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number);
  if (requests === 0 || errors > 0) throw new Error(`${url}: ${errors} errors of ${requests} requests`);
  return { p50Ms, p99Ms };
}

/** Requests are written once. A text of JSON without characters beyond ASCII is one of Lua as well. */
function scriptOf({ paths, headers }: Questions): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return `local requests, at = {}, 0
function init()
  local headers = {}
  ${fields.join('\n  ')}
  ${paths.map((path) => `table.insert(requests, wrk.format("GET", ${JSON.stringify(path)}, headers))`).join('\n  ')}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local failed = summary.errors
  local errors = failed.connect + failed.read + failed.write + failed.status + failed.timeout
  print(string.format("result %f %f %d %d", latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.requests, errors))
end
`;
}
