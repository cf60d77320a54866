/**
 * The two tiers of tests, and after each a search of everything the tests left behind (logs, responses, databases) for the keys they used.
 *
 * - `npm test [-- FILE …]`: every check, then unit, property, conformance and API tests. It installs no system package and runs as any user.
 * - `npm run test:system [-- FILE …]`: the program as processes, real software, the browser, crashes, the hostile world. It installs Debian
 *   packages where it may; a test whose software is missing is skipped, except in CI.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchForKeys } from '../test/harness/leak-search.ts';
import { check } from './check.ts';

const root = join(import.meta.dirname, '..');
const [tier, ...given] =
  process.argv[2] === '--system' ? ['system', ...process.argv.slice(3)] : ['fast', ...process.argv.slice(2)];
const compileCache = join(root, 'node_modules/.cache/compile');

function testFiles(): readonly string[] {
  if (given.length > 0) return given;
  return globSync('test/**/*.test.ts', { cwd: root })
    .filter((file) => file.startsWith('test/system/') === (tier === 'system'))
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

/** Resolves to whether all of them passed. Output goes to ours, or is returned at the end. */
async function runNodeTests(
  options: readonly string[],
  files: readonly string[],
  artifacts: string,
  output: 'inherit' | 'pipe' = 'inherit',
): Promise<{ readonly passed: boolean; readonly text: string }> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...options, ...files], {
    cwd: root,
    stdio: ['ignore', output, output],
    env: {
      NODE_COMPILE_CACHE: compileCache,
      TEST_STORES: directoryOfStores(),
      ...process.env,
      TEST_ARTIFACTS: artifacts,
    },
  });
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => text.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { passed: code === 0, text: text.join('') };
}

/**
 * API tests need no process of their own, and loading the server is most of what a small file costs: each of a few processes loads it
 * once and runs its share. All other files have a process each.
 */
async function runTests(artifacts: string): Promise<boolean> {
  const files = testFiles();
  const isShared = (file: string) => given.length === 0 && /^test\/(?:api|http)\//.test(file);
  const shared = files.filter(isShared);
  const own = await runNodeTests(
    [`--test-concurrency=${concurrency}`],
    files.filter((file) => !isShared(file)),
    artifacts,
  );
  const shares = Array.from({ length: concurrency }, (_, index) =>
    shared.filter((_file, at) => at % concurrency === index),
  );
  const outcomes = await Promise.all(
    shares
      .filter((share) => share.length > 0)
      .map(async (share) => {
        const outcome = await runNodeTests(['--test-isolation=none'], share, artifacts, 'pipe');
        process.stdout.write(outcome.text);
        return outcome;
      }),
  );
  return [own, ...outcomes].every(({ passed }) => passed);
}

function findNoKeys(artifacts: string): boolean {
  const { files, bytes, leaks } = searchForKeys(artifacts);
  for (const { file, first, count } of leaks)
    console.log(`FAILED  ${file} holds ${count} keys, the first ${first}…`);
  if (leaks.length > 0) return false;
  console.log(`ok  no test key in ${files} files of logs, responses and databases (${bytes} bytes)`);
  return true;
}

const artifacts = mkdtempSync(join(tmpdir(), 'nameglass-artifacts-'));
try {
  const passed = (tier === 'system' || check()) && (await runTests(artifacts)) && findNoKeys(artifacts);
  console.log(
    passed
      ? `\nAll ${tier === 'system' ? 'system tests' : 'checks and tests'} passed.`
      : '\nNot everything passed: see above.',
  );
  process.exitCode = passed ? 0 : 1;
} finally {
  rmSync(artifacts, { recursive: true, force: true });
}
