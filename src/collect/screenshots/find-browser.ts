/** Whether there is a browser, and as whom it is to run. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { loneNetwork, searchPath } from './browser-command.ts';

export interface Browser {
  readonly path: string;
  /** Whom it becomes; undefined where it stays who we are. */
  readonly user: BrowserUser | undefined;
  /** Whether it gets a network of its own, out of which nothing but the proxy leads. */
  readonly ownNetwork: boolean;
}

export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
}

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/local/bin/chromium',
  '/snap/bin/chromium',
];
const setPrivileges = '/usr/bin/setpriv';

/** Undefined where none is installed. Throws a Problem where there is one that we must not start as we are. */
export function findBrowser({ screenshots }: Pick<Settings, 'screenshots'>): Browser | undefined {
  const paths = screenshots.browser === '' ? usualPaths : [screenshots.browser];
  const path = paths.find(isExecutable);
  if (path === undefined) return undefined;
  if (process.getuid?.() !== 0) return { path, user: undefined, ownNetwork: false };
  if (!isExecutable(setPrivileges))
    throw new Problem('unavailable', `a browser is not run as root, and there is no ${setPrivileges}`);
  return { path, user: getUser(screenshots.user), ownNetwork: canSeparateNetworks() };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Not in every container. Tried once, at the start, where waiting does no harm. */
function canSeparateNetworks(): boolean {
  const { command, args } = loneNetwork;
  return spawnSync(command, [...args, 'true'], { env: { PATH: searchPath }, stdio: 'ignore' }).status === 0;
}

function getUser(name: string): BrowserUser {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry = lines.map((line) => line.split(':')).find(([user]) => user === name);
  const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])];
  if (!entry || !Number.isInteger(uid) || !Number.isInteger(gid))
    throw new Problem('unavailable', `screenshots.user: there is no user ${name}`);
  if (uid === 0) throw new Problem('unavailable', 'screenshots.user: a browser is not run as root');
  return { uid, gid };
}
