/** Installs Debian packages for tests that need real software. */
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
 * Whether a command is available; as root on Debian it is installed. If it stays unavailable the test is skipped,
 * except on CI, where it fails.
 */
export function needsPackage(t: TestContext, name: string, command: string): boolean {
  if (hasPackage(name, command)) return true;
  if (process.env['CI']) throw new Error(`no ${command}: the package ${name} could not be installed`);
  t.skip(`skipped: no ${command}`);
  return false;
}

/** The same without a test to skip. */
export function hasPackage(name: string, command: string): boolean {
  if (!commandPath(command) && !tried.has(name) && mayInstall()) {
    tried.add(name);
    withLock(() => {
      if (!commandPath(command)) install(name);
    });
  }
  return commandPath(command) !== undefined;
}

/** Daemons are often not on a user's PATH. */
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

/** One test process at a time; a stale lock of a killed process is removed. */
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
