/** Real software for tests that need it, from Debian packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const directories = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
const lock = join(tmpdir(), 'nameglass-apt.lock');
const lockMinutesMax = 10;
const tried = new Set<string>();

/**
 * Whether a command is there; root on a Debian machine gets it installed. Where it stays absent the test is skipped,
 * except on CI, where that is a failure.
 */
export function needsPackage(t: TestContext, name: string, command: string): boolean {
  if (!commandPath(command) && !tried.has(name) && mayInstall()) {
    tried.add(name);
    withLock(() => {
      if (!commandPath(command)) install(name);
    });
  }
  if (commandPath(command)) return true;
  if (process.env['CI']) throw new Error(`no ${command}: the package ${name} could not be installed`);
  t.skip(`skipped: no ${command}`);
  return false;
}

/** Daemons are often outside the path of a user. */
export function commandPath(command: string): string | undefined {
  return directories.map((directory) => join(directory, command)).find((path) => existsSync(path));
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function install(name: string): void {
  if (!apt('install', '-y', '--no-install-recommends', name)) {
    apt('update');
    apt('install', '-y', '--no-install-recommends', name);
  }
}

/** The run level keeps packages from starting their daemons. */
function apt(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=1'];
  return spawnSync('apt-get', [...options, ...args], { env, stdio: 'ignore', timeout: 600_000 }).status === 0;
}

/** One test process at a time; a lock whose holder was killed is taken over when it is old. */
function withLock(work: () => void): void {
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > lockMinutesMax * 60_000)
      rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
