/** A directory for one run of the browser: its profile, which is the browser user's own, and beside it the id of its processes. */
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserPlace } from './browser-command.ts';
import type { BrowserUser } from './find-browser.ts';

const prefix = 'nameglass-browser-';
/** No run takes as long; what is older was left by a process that was killed. */
const abandonedMs = 3_600_000;

export interface OpenPlace extends BrowserPlace {
  /** Holds the profile, and goes with all that is in it. */
  readonly directory: string;
  /** Ends every process of the browser at once. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export async function openPlace(user: BrowserUser | undefined): Promise<OpenPlace> {
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const profile = join(directory, 'profile');
  await mkdir(profile, { mode: 0o700 });
  if (user) {
    await chown(profile, user.uid, user.gid);
    // To be passed through, but not to be listed.
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
    // The last processes may still be writing when the first has ended.
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

/** What earlier processes of ours could not clear away. */
export async function removeAbandonedPlaces(nowMs: number): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const path = join(tmpdir(), name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.uid === process.getuid?.() && found.mtimeMs < nowMs - abandonedMs)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
