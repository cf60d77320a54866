/** The temporary directory of one browser run: the profile, owned by the browser's user, and the id of its process group. */

import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../model/durations.ts';
import type { BrowserPaths } from './browser-command.ts';
import type { BrowserUser } from './find-browser.ts';

const prefix = 'nameglass-browser-';
/** Longer than any run; older directories were left behind by a crash. */
const staleMs = hourMs;

export interface BrowserDirectory extends BrowserPaths {
  /** Contains the profile and all the rest. */
  readonly directory: string;
  /** Kills every process of the browser. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export async function createBrowserDirectory(user: BrowserUser | undefined): Promise<BrowserDirectory> {
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const profile = join(directory, 'profile');
  await mkdir(profile, { mode: 0o700 });
  if (user) {
    await chown(profile, user.uid, user.gid);
    // Traversable, but not listable.
    await chmod(directory, 0o711);
  }
  const pidFile = join(directory, 'pid');
  return {
    directory,
    pidFile,
    profile,
    proxyPath: join(directory, 'proxy'),
    kill: async () => {
      const group = Number(await readFile(pidFile, 'utf8').catch(() => ''));
      if (group > 1) killGroup(group);
    },
    // Child processes may still be writing when the first has exited.
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Removes what crashed processes left behind. */
export async function removeStaleDirectories(nowMs: number): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.uid === process.getuid?.() && found.mtimeMs < nowMs - staleMs)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
