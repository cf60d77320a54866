/**
 * `npm test [-- FILE …]`: every check, every test, and then a search of all that the tests left behind (logs, answers,
 * databases) for the keys that they used.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchForKeys } from '../test/harness/leak-search.ts';
import { check } from './check.ts';

const root = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const compileCache = join(root, 'node_modules/.cache/compile');

/** Where memory can be had as a disk, thousands of small databases need not wait for a real one. */
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

function runTests(artifacts: string): boolean {
  const files = asked.length > 0 ? asked : globSync('test/**/*.test.ts', { cwd: root });
  // Some tests wait for browsers, time-outs and disks: one file more than there are processors keeps these busy.
  const options = ['--test', '--test-reporter=spec', `--test-concurrency=${availableParallelism() + 1}`];
  const { status } = spawnSync(process.execPath, [...options, ...files], {
    cwd: root,
    stdio: 'inherit',
    // Every file is a process of its own, and starting it is most of what a small one costs.
    env: {
      NODE_COMPILE_CACHE: compileCache,
      TEST_STORES: directoryOfStores(),
      ...process.env,
      TEST_ARTIFACTS: artifacts,
    },
  });
  return status === 0;
}

function findNoKeys(artifacts: string): boolean {
  const { files, bytes, leaks } = searchForKeys(artifacts);
  for (const { file, first, count } of leaks)
    console.log(`FAILED  ${file} holds ${count} keys, the first ${first}…`);
  if (leaks.length > 0) return false;
  console.log(`ok  no test key in ${files} files of logs, answers and databases (${bytes} bytes)`);
  return true;
}

const artifacts = mkdtempSync(join(tmpdir(), 'nameglass-artifacts-'));
try {
  const fine = check() && runTests(artifacts) && findNoKeys(artifacts);
  console.log(fine ? '\nAll checks and tests passed.' : '\nNot everything passed: see above.');
  process.exitCode = fine ? 0 : 1;
} finally {
  rmSync(artifacts, { recursive: true, force: true });
}
