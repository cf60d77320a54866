/** `npm run check`: types, lint, format, and what nothing uses, as many at a time as there are processors. Each tool says what it found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The next run of the compiler checks only what has changed since. */
const incremental = (of: string) => [
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules/.cache/types', `${of}.tsbuildinfo`),
];

/** One checker: others would check again what all of them need, which takes twice the processor time. */
const compiler = ['--noEmit', '--checkers', '1'];

type Check = readonly [what: string, tool: string, ...args: string[]];

/** Those that take longest begin first. */
const checks: readonly Check[] = [
  ['types', 'tsc', ...compiler, '-p', '.', ...incremental('root')],
  [
    'lint',
    'oxlint',
    '--type-aware',
    '--deny-warnings',
    'src',
    'test',
    'bench',
    'scripts',
    'tools',
    'world',
    'bin',
    'web',
  ],
  ['types of the web UI', 'tsc', ...compiler, '-p', 'web', ...incremental('web')],
  ['unused code and packages', 'knip'],
  ['format', 'biome', 'check', '.'],
];

/** What they are named in the output, so that a run of everything can end with them. */
export const failedChecks: string[] = [];

/** The compiler and the linter are Go programs, which for a minute of work need not collect their garbage as often as usual. */
const env = { GOGC: '400', ...process.env };

async function run([what, tool, ...args]: Check): Promise<boolean> {
  const started = performance.now();
  const child = spawn(join(root, 'node_modules/.bin', tool), args, { cwd: root, env });
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => text.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${text.join('')}${status === 0 ? 'ok' : 'FAILED'}  ${what} (${tool}, ${seconds} s)\n`,
  );
  if (status !== 0) failedChecks.push(what);
  return status === 0;
}

export type Task = () => Promise<boolean>;

export const checkTasks: readonly Task[] = checks.map((each) => () => run(each));

/** Runs all of them, the first ones first and so many at a time. Resolves to whether all of them passed. */
export async function runTasks(tasks: readonly Task[], atOnce: number): Promise<boolean> {
  const waiting = [...tasks];
  let passed = true;
  const runWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) passed = (await next()) && passed;
  };
  await Promise.all(Array.from({ length: atOnce }, runWaiting));
  return passed;
}

if (process.argv[1] === import.meta.filename)
  process.exitCode = (await runTasks(checkTasks, availableParallelism())) ? 0 : 1;
