/** Installs npm packages that only system tests need: each set in `test/tools-of-others/` has exact versions in its lock file. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const root = join(import.meta.dirname, '../..');
const sets = join(root, 'test/tools-of-others');
const installed = join(root, 'node_modules/.cache/tools');

/**
 * The directory whose `node_modules` has the packages of a set, installed once per lock file. If they cannot be installed the test is
 * skipped and the result undefined, except on CI, where it fails.
 */
export function needsNpmTools(t: TestContext, set: string): string | undefined {
  try {
    return npmTools(set);
  } catch (error) {
    if (process.env['CI']) throw error;
    t.skip(`skipped: ${(error as Error).message}`);
    return undefined;
  }
}

/** The same without a test to skip. */
export function npmTools(set: string): string {
  const lock = readFileSync(join(sets, set, 'package-lock.json'));
  const directory = join(installed, `${set}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (!existsSync(directory)) install(set, directory);
  return directory;
}

/** Into a directory of this process, renamed when it is whole: another process may install the same set at the same time. */
function install(set: string, directory: string): void {
  const partial = `${directory}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(sets, set, file), join(partial, file));
  const { status, error, stderr } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1'],
    { cwd: partial, encoding: 'utf8', timeout: 600_000 },
  );
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    const reason =
      error?.message ?? /npm error (?!A complete log)(.*)/.exec(stderr)?.[1] ?? `status ${status}`;
    throw new Error(`the tools ${set} could not be installed by npm: ${reason}`);
  }
  try {
    renameSync(partial, directory);
  } catch (problem) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(directory)) throw problem;
  }
}
