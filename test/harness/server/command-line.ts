/** Runs the real command line in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { keepText } from '../artifacts.ts';
import type { TestScope } from '../test-scope.ts';
import { untilAllStarted } from './all-started.ts';
import { compileCache, program } from './program.ts';

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
  /** The process that does this work: one of its own with role `all`. */
  readonly pidOf: (role: 'api' | 'worker') => number;
  readonly output: () => { out: string; err: string };
  /** Sends a signal and waits for the process to exit. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `serve` on a free port and waits until all of it is ready. */
export async function serve(
  scope: TestScope,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Served> {
  const child = start(['serve', '--port', '0', ...args], options);
  const output = collect(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  scope.after(async () => {
    if (child.exitCode === null && child.signalCode === null) await killAll(child);
    await closed;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /ready at (\S+)/.exec(output().out)?.[1];
      if (found) resolve(found);
    });
    void closed.then(([code]) => reject(new Error(`serve ended with ${code}: ${output().err}`)));
  });
  await untilAllStarted(url);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (signal === 'SIGKILL') await killAll(child);
    else child.kill(signal);
    return (await closed)[0];
  };
  const pidOf = (role: string) =>
    supervisedProcesses(child).find((one) => one.role === role)?.pid ?? child.pid ?? 0;
  return { url, child, pidOf, output, stop };
}

/** A crash of the whole server at once. Resolves when no process of it is left. */
async function killAll(child: ChildProcess): Promise<void> {
  const processes = supervisedProcesses(child);
  for (const pid of [child.pid, ...processes.map((one) => one.pid)]) signalTo(pid, 'SIGKILL');
  while (processes.some(({ pid }) => isRunning(pid))) await pause(5);
}

/** The processes that a server keeps running; none of one that runs alone. */
export function supervisedProcesses(child: ChildProcess): readonly { role: string; pid: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (statusOf(Number(name))?.parent !== child.pid) return [];
    const [, role] = /supervised-process\0(\w+)/.exec(readOrNothing(`/proc/${name}/cmdline`)) ?? [];
    return role === undefined ? [] : [{ role, pid: Number(name) }];
  });
}

/** One that has ended and was not waited for does not run. */
export function isRunning(pid: number): boolean {
  return (statusOf(pid)?.state ?? 'Z') !== 'Z';
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`);
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return state ? { state, parent: Number(parent) } : undefined;
}

/** Processes may end at any time. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function signalTo(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function start(args: readonly string[], { env = {} }: RunOptions): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('NAMEGLASS_'));
  return spawn(process.execPath, [program, ...args], {
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...env },
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
