/**
 * The two tiers of tests, and after each a search of everything the tests left behind (logs, responses, databases) for the keys they used.
 *
 * - `npm test [-- FILE …]`: every check, and unit, property, conformance and API tests. It installs no system package and runs as any user.
 * - `npm run test:system [-- FILE …]`: the long ones of those (`scripts/long-tests.ts`), then the program as processes, real software, the
 *   browser, crashes, the hostile world. It installs Debian packages where it may; a test whose software is missing is skipped, except in CI.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { searchForKeys } from '../test/harness/leak-search.ts';
import { buildProgram, removeProgram } from './build-program.ts';
import { bundleThreads } from './bundle-threads.ts';
import { checkTasks, failedChecks, runTasks, type Task } from './check.ts';
import type { FailedFile } from './failed-files.ts';
import { longTests } from './long-tests.ts';

const root = join(import.meta.dirname, '..');
const [tier, ...given] =
  process.argv[2] === '--system' ? ['system', ...process.argv.slice(3)] : ['fast', ...process.argv.slice(2)];
const seed = './test/harness/property-seed.ts';
/** Commands with long files of their own have none. */
const timeLimit = given.length === 0 ? ['--import', './test/harness/time-limit.ts'] : [];
const bundledThreads = './test/harness/bundled-threads.ts';
const compileCache = join(root, 'node_modules/.cache/compile');

/** Files and folders with a command of their own, since they take too long for the tier or install a compiler: `test:proxies`, `test:distributed`, `test:cluster`. */
const ownCommands: readonly string[] = [
  'test/cluster/',
  'test/system/deployment/api-behind-proxy.test.ts',
  'test/system/deployment/helm-chart.test.ts',
  'test/system/distributed/api-on-distributed-stores.test.ts',
  'test/system/distributed/passive-dns/',
  'test/system/distributed/segments/',
  'test/system/store-copy/',
];

function testFiles(): readonly string[] {
  if (given.length > 0) return given;
  return globSync('test/**/*.test.ts', { cwd: root })
    .filter((file) => file.startsWith('test/system/') === (tier === 'system'))
    .filter((file) => !ownCommands.some((path) => file.startsWith(path)) && !longTests.includes(file))
    .sort();
}

/** Thousands of small databases are faster on a file system in memory, where there is one with room. */
function directoryOfStores(): string {
  const inMemory = '/dev/shm';
  const wantedBytes = 4 * 2 ** 30;
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > wantedBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

// Some tests wait for browsers, time-outs and disks: one process more than there are processors keeps these busy.
const concurrency = availableParallelism() + 1;

interface Outcome {
  readonly passed: boolean;
  readonly text: string;
  readonly ending: string;
}

/** Resolves to whether all of them passed. Output goes to ours, or is returned at the end. */
async function runNodeTests(
  options: readonly string[],
  files: readonly string[],
  artifacts: string,
  output: 'inherit' | 'pipe' = 'inherit',
): Promise<Outcome> {
  const args = ['--import', seed, '--test', '--test-reporter=spec', ...options, ...files];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: {
      NODE_COMPILE_CACHE: compileCache,
      TEST_STORES: directoryOfStores(),
      ...process.env,
      TEST_ARTIFACTS: artifacts,
      TEST_THREADS: threads,
      ...(program !== undefined && { TEST_PROGRAM: program }),
    },
  });
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => text.push(chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { passed: code === 0, text: text.join(''), ending: signal ?? `exit status ${code}` };
}

/** What a reader wants to see last: the failures of a process, or how it ended when it reports none. */
function failuresOf({ text, ending }: Outcome): string {
  const failures = text.split('\u2716 failing tests:\n')[1];
  if (failures !== undefined) return failures;
  return `A process of tests ended with ${ending} and no failing test. Its last lines:\n${text.split('\n').slice(-60).join('\n')}`;
}

/**
 * Tests of the fast tier need no process of their own, and loading modules is most of what a small file costs: a process in each place loads
 * them once and runs a share of the files, beside the checks. System tests start and kill processes, and have one each.
 */
async function runTests(artifacts: string): Promise<boolean> {
  const files = testFiles();
  if (tier === 'system') {
    const passed = given.length > 0 || (await runShares(longTests, artifacts));
    return (await runSystemTests(files, artifacts)) && passed;
  }
  if (given.length > 0)
    return (
      (await runTasks(checkTasks, availableParallelism())) &&
      (await runNodeTests([`--test-concurrency=${concurrency}`], files, artifacts)).passed
    );
  const passed = await runShares(files, artifacts, checkTasks);
  for (const what of failedChecks) console.log(`\nFailed: ${what} (its output is above, at the beginning)`);
  return passed;
}

async function runShares(
  files: readonly string[],
  artifacts: string,
  before: readonly Task[] = [],
): Promise<boolean> {
  await bundleThreads(root, threads);
  if (!build()) return false;
  const shares = Array.from({ length: concurrency }, (_, index) =>
    files.filter((_file, at) => at % concurrency === index),
  );
  const failed: Outcome[] = [];
  const runShare = async (share: readonly string[]) => {
    const options = ['--import', bundledThreads, '--test-isolation=none'];
    const outcome = await runNodeTests(options, share, artifacts, 'pipe');
    process.stdout.write(outcome.text);
    if (!outcome.passed) failed.push(outcome);
    return outcome.passed;
  };
  const passed = await runTasks([...before, ...shares.map((share) => () => runShare(share))], concurrency);
  for (const outcome of failed) console.log(`\nFailed:\n${failuresOf(outcome)}`);
  return passed;
}

/** A browser that shares two processors with two other tests is sometimes slower than its test can wait for. */
const isRepeatable = (file: string) => file.startsWith('test/system/web/');

/**
 * A file of browser tests that fails gets a second run, alone, and is named in the output even if it passes then. Whatever else fails has
 * failed: a loss that shows once in a hundred crashes is a loss.
 */
async function runSystemTests(files: readonly string[], artifacts: string): Promise<boolean> {
  const list = join(artifacts, 'failed-files');
  const reporters = [
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/failed-files.ts',
    `--test-reporter-destination=${list}`,
  ];
  if (!build()) return false;
  const atOnce = files.some((file) => file.startsWith('test/cluster/')) ? 1 : concurrency;
  const { passed } = await runNodeTests(
    [...timeLimit, ...reporters, `--test-concurrency=${atOnce}`],
    files,
    artifacts,
  );
  if (passed) return true;
  const failed = readFailedFiles(list);
  if (failed.length === 0 || !failed.every(isRepeatable)) return false;
  console.log(`\nRunning again, alone: ${failed.join(' ')}`);
  const again = await runNodeTests([...timeLimit, '--test-concurrency=1'], failed, artifacts);
  if (again.passed) console.log(`\nFAILED AT FIRST, passed alone: ${failed.join(' ')}`);
  return again.passed;
}

/** Says what those files wrote last: above, it may be thousands of lines away. */
function readFailedFiles(list: string): readonly string[] {
  const entries = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  return entries.map((entry) => {
    const { file, lastErrors } = JSON.parse(entry) as FailedFile;
    const name = relative(root, file);
    if (lastErrors !== '') console.log(`\nThe end of what ${name} wrote to standard error:\n${lastErrors}`);
    return name;
  });
}

function findNoKeys(artifacts: string): boolean {
  const { files, bytes, leaks } = searchForKeys(artifacts);
  for (const { file, first, count } of leaks)
    console.log(`FAILED  ${file} holds ${count} keys, the first ${first}…`);
  if (leaks.length > 0) return false;
  console.log(`ok  no test key in ${files} files of logs, responses and databases (${bytes} bytes)`);
  return true;
}

/** Right below the root, as `bundleThreads` wants it. */
const threads = join(root, `dist-threads-${process.pid}`);
/** Commands and servers that tests start are built once. */
let program: string | undefined;
function build(): boolean {
  program ??= buildProgram();
  return program !== undefined;
}
const artifacts = mkdtempSync(join(tmpdir(), 'nameglass-artifacts-'));
try {
  const passed = (await runTests(artifacts)) && findNoKeys(artifacts);
  console.log(
    passed
      ? `\nAll ${tier === 'system' ? 'system tests' : 'checks and tests'} passed.`
      : '\nNot everything passed: see above.',
  );
  process.exitCode = passed ? 0 : 1;
} finally {
  removeProgram();
  for (const each of [artifacts, threads]) rmSync(each, { recursive: true, force: true });
}
