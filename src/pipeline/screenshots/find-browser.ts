/** Finds a browser, and the user that it runs as. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { networkNamespace, searchPath } from './browser-command.ts';

export interface Browser {
  readonly path: string;
  /** The user it switches to; undefined to run as the server's own user. */
  readonly user: BrowserUser | undefined;
  /** Whether it runs in a network namespace whose only way out is the proxy. */
  readonly hasNetworkNamespace: boolean;
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

/** Undefined when none is installed. Throws a Problem when the server's user must not start it. */
export function findBrowser({ screenshots }: Pick<Settings, 'screenshots'>): Browser | undefined {
  const paths = screenshots.browser === '' ? usualPaths : [screenshots.browser];
  const path = paths.find(isExecutable);
  if (path === undefined) return undefined;
  if (process.getuid?.() !== 0) return { path, user: undefined, hasNetworkNamespace: false };
  if (!isExecutable(setPrivileges))
    throw new Problem('unavailable', `a browser is not run as root, and there is no ${setPrivileges}`);
  return { path, user: getUser(screenshots.user), hasNetworkNamespace: canCreateNamespaces() };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Not permitted in every container. Tried once at the start, where blocking is harmless. */
function canCreateNamespaces(): boolean {
  const { command, args } = networkNamespace;
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
