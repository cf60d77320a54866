/** Processes that serve: started until they say that they are ready, and stopped with everything that they started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { untilAllStarted } from '../../test/harness/server/all-started.ts';
import { compileCache, program } from '../../test/harness/server/program.ts';
import type { BenchContext } from '../harness/benchmark.ts';

const root = join(import.meta.dirname, '../..');
const shownLines = 20;

export interface Serving {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything on standard output until it was ready, and since. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/** A program of this repository that prints `ready at URL`. */
export async function startServing(
  args: readonly string[],
  { after }: Pick<BenchContext, 'after'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
  });
  let [out, errors] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).split('\n').slice(-shownLines).join('\n');
  });
  const closed = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await closed;
  };
  after(stop);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const found = /ready at (\S+)/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void closed.then(() => reject(new Error(`${args.join(' ')} ended before it was ready: ${errors}`)));
  });
  return { url, pid: child.pid ?? 0, child, output: () => out, stop };
}

/** Limits that do not bind, and logs that do not count. */
const unlimited: Readonly<Record<string, string>> = {
  'log.level': 'error',
  'limits.productRequestsPerMinute': '100000000',
  'limits.feed.queriesPerMinute': '100000000',
  'limits.feed.queriesPerHour': '100000000',
  'pdns.connectionsPerKeyMax': '1000',
  'batch.retentionHours': '1000',
  'storage.reserveBytes': '0',
};

export interface ServerOptions {
  readonly data: string;
  /** `all` is what `serve` does unless it is given a role. */
  readonly role: 'all' | 'api';
  readonly settings?: Readonly<Record<string, string>>;
  /** Options of Node.js, before the program. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** `nameglass serve` as it is really run, on data that is there already; never the demonstration. */
export async function startServer(
  options: ServerOptions,
  scope: Pick<BenchContext, 'after'>,
): Promise<Serving> {
  const { data, role, settings = {}, nodeOptions = [], environment } = options;
  const flags = Object.entries({ ...unlimited, ...settings }).map(([key, value]) => `${key}=${value}`);
  const roleFlags = role === 'all' ? [] : ['--role', role];
  const serve = ['serve', '--port', '0', '--data', data, ...roleFlags, '--set', ...flags];
  const serving = await startServing([...nodeOptions, program, ...serve], scope, environment);
  await untilAllStarted(serving.url);
  return serving;
}
