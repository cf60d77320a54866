/**
 * `npm test [-- FILE …]`: every check, every test, and then a search of all that the tests left behind (logs, answers,
 * databases) for the keys that they used.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaryPattern } from '../test/harness/artifacts.ts';
import { check } from './check.ts';

const root = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);

function runTests(artifacts: string): boolean {
  const files = asked.length > 0 ? asked : globSync('test/**/*.test.ts', { cwd: root });
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_ARTIFACTS: artifacts },
  });
  return status === 0;
}

function findCanaries(artifacts: string): boolean {
  let bytes = 0;
  const files = readdirSync(artifacts);
  const leaks = files.filter((file) => {
    const content = readFileSync(join(artifacts, file), 'latin1');
    bytes += content.length;
    const found = content.match(canaryPattern);
    if (found) console.log(`FAILED  ${file} holds ${found.length} keys, the first ${found[0]}…`);
    return found;
  });
  if (leaks.length === 0)
    console.log(`ok  no test key in ${files.length} files of logs, answers and databases (${bytes} bytes)`);
  return leaks.length === 0;
}

const artifacts = mkdtempSync(join(tmpdir(), 'nameglass-artifacts-'));
try {
  const fine = check() && runTests(artifacts) && findCanaries(artifacts);
  console.log(fine ? '\nAll checks and tests passed.' : '\nNot everything passed: see above.');
  process.exitCode = fine ? 0 : 1;
} finally {
  rmSync(artifacts, { recursive: true, force: true });
}
