/** A small Debian of its own in a directory, for tests that install packages. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { needsPackage } from '../../harness/debian-package.ts';
import type { TestScope } from '../../harness/test-scope.ts';

const cache = join(import.meta.dirname, '../../../node_modules/.cache/debian');
const suite = 'bookworm';
const ready = join(cache, suite);

/** Nothing of ours: neither variables nor the PATH. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };

export interface DebianChroot {
  readonly directory: string;
  run(command: readonly string[], user?: string): { readonly status: number | null; readonly text: string };
  start(command: readonly string[], user: string): ReturnType<typeof spawn>;
}

/** Made by debootstrap once and then copied. Where that is not possible the test is skipped, except on CI, where it fails. */
export function needsDebianChroot(t: TestContext, scope: TestScope): DebianChroot | undefined {
  if (!existsSync(ready) && (!needsPackage(t, 'debootstrap', 'debootstrap') || !bootstrap(t)))
    return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-chroot-'));
  scope.after(() => rmSync(directory, { recursive: true, force: true }));
  spawnSync('cp', ['-a', `${ready}/.`, directory]);
  const inside = (command: readonly string[], user: string) => {
    const become = user === 'root' ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
    // A mount namespace: what is mounted there ends with the command.
    const script = `mount -t proc proc "$0/proc" && exec chroot "$0" "$@"`;
    return ['--mount', '--', 'sh', '-c', script, directory, ...become, ...command];
  };
  return {
    directory,
    run: (command, user = 'root') => {
      const { status, stdout, stderr } = spawnSync('unshare', inside(command, user), {
        env,
        encoding: 'utf8',
      });
      return { status, text: `${stdout}${stderr}` };
    },
    start: (command, user) =>
      spawn('unshare', inside(command, user), { env, stdio: ['ignore', 'pipe', 'ignore'] }),
  };
}

function bootstrap(t: TestContext): boolean {
  mkdirSync(cache, { recursive: true });
  const partial = join(cache, `${suite}.${process.pid}`);
  const options = ['--variant=minbase', '--include=adduser,libstdc++6', suite, partial];
  const { status, stdout } = spawnSync('debootstrap', options, { encoding: 'utf8', timeout: 900_000 });
  if (status === 0) {
    if (!existsSync(ready)) renameSync(partial, ready);
    return true;
  }
  rmSync(partial, { recursive: true, force: true });
  const reason = `debootstrap failed: ${stdout.trim().split('\n').at(-1)}`;
  if (process.env['CI']) throw new Error(reason);
  t.skip(`skipped: ${reason}`);
  return false;
}
