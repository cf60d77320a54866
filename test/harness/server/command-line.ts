/** Runs the real command line in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keepText } from '../artifacts.ts';
import type { TestScope } from '../test-scope.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');

/** Halves the start-up time, which is most of a command's run time. */
const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/compile');

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a command to completion. */
export async function nameglass(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  const output = collect(child);
  child.stdin?.end(options.input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output() };
}

export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  output(): { out: string; err: string };
  /** Sends a signal and waits for the process to exit. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `serve` on a free port and waits until it is ready. */
export async function serve(
  scope: TestScope,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Served> {
  const child = start(['serve', '--port', '0', ...args], options);
  const output = collect(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  scope.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await closed;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /ready at (\S+)/.exec(output().out)?.[1];
      if (found) resolve(found);
    });
    void closed.then(([code]) => reject(new Error(`serve ended with ${code}: ${output().err}`)));
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return (await closed)[0];
  };
  return { url, child, output, stop };
}

function start(args: readonly string[], { env = {} }: RunOptions): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('NAMEGLASS_'));
  return spawn(process.execPath, [main, ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, ...Object.fromEntries(inherited), ...env },
  });
}

/** Only standard error is kept for the leak search: standard output may legitimately show a new key once. */
function collect(child: ChildProcess): () => { out: string; err: string } {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => {
    err += chunk;
    keepText('spawned-logs', String(chunk));
  });
  return () => ({ out, err });
}
