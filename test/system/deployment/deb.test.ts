/** The Debian package in a Debian of its own: installed, used, upgraded, removed, purged. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hasPackage } from '../../harness/debian-package.ts';
import { packedPackage } from '../../harness/packed-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { type DebianChroot, needsDebianChroot } from './debian-chroot.ts';

const root = join(import.meta.dirname, '../../..');

function buildDeb(output: string): string {
  const args = ['--package', packedPackage(), '--output', output, '--version', '1.0.0-1'];
  const made = spawnSync(process.execPath, [join(root, 'scripts/build-deb.ts'), ...args], {
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  return made.stdout.trim();
}

/** The same package as a later version. */
function relabelled(file: string, version: string): string {
  const [content, output] = [`${file}.content`, `${file}.${version}.deb`];
  const dpkg = (...args: readonly string[]) => assert.equal(spawnSync('dpkg-deb', args).status, 0);
  dpkg('--raw-extract', file, content);
  const control = join(content, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`));
  dpkg('--root-owner-group', '-Znone', '--build', content, output);
  return output;
}

function install(debian: DebianChroot, file: string): void {
  const inside = `/root/${basename(file)}`;
  cpSync(file, join(debian.directory, inside));
  const { status, text } = debian.run(['dpkg', '--install', inside]);
  assert.equal(status, 0, text);
}

async function answersHealth(t: TestContext, debian: DebianChroot): Promise<void> {
  const child = debian.start(['nameglass', 'serve', '--port', '0'], 'nameglass');
  t.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let text = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += String(chunk);
    if (text.includes('ready at')) break;
  }
  assert.equal((await fetch(`${/ready at (\S+)/.exec(text)?.[1]}/healthz`)).status, 200, text);
  child.kill('SIGTERM');
  assert.deepEqual(await closed, [0, null]);
}

test('the Debian package installs, runs as its user, keeps data and settings in an upgrade, and removes them on purge alone', async (t) => {
  const debian = needsDebianChroot(t, t);
  if (!debian) return;
  const [data, settings] = ['var/lib/nameglass', 'etc/nameglass/nameglass.yaml'].map((path) =>
    join(debian.directory, path),
  ) as [string, string];

  const built = buildDeb(temporaryDirectory(t));
  install(debian, built);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.equal(statSync(settings).mode & 0o777, 0o640);
  // As root, who does not own the data: the service must be able to write what the command leaves.
  const created = debian.run(['nameglass', 'account', 'create', '--username', 'ann']);
  assert.equal(created.status, 0, created.text);
  assert.equal(debian.run(['find', '/var/lib/nameglass', '!', '-user', 'nameglass']).text, '');
  for (const file of ['share/man/man1/nameglass.1.gz', 'share/bash-completion/completions/nameglass'])
    assert.ok(statSync(join(debian.directory, 'usr', file)).size > 1000, file);
  await answersHealth(t, debian);

  appendFileSync(settings, '# of the administrator\n');
  install(debian, relabelled(built, '1.0.1-1'));
  assert.match(debian.run(['nameglass', 'account', 'list'], 'nameglass').text, /\nann /);
  assert.match(readFileSync(settings, 'utf8'), /# of the administrator\n$/);

  debian.run(['dpkg', '--remove', 'nameglass']);
  assert.equal(existsSync(join(debian.directory, 'usr/bin/nameglass')), false);
  assert.ok(readdirSync(data).includes('accounts.db'));

  const purged = debian.run(['dpkg', '--purge', 'nameglass']);
  assert.equal(purged.status, 0, purged.text);
  assert.deepEqual([existsSync(data), existsSync(settings)], [false, false]);
  assert.notEqual(debian.run(['getent', 'passwd', 'nameglass']).status, 0);
});

test('the unit of systemd is valid, and its exposure is reported', (t) => {
  if (!hasPackage('systemd', 'systemd-analyze')) {
    if (process.env['CI']) throw new Error('no systemd-analyze');
    t.skip('skipped: no systemd-analyze');
    return;
  }
  const unit = join(root, 'packaging/systemd/nameglass.service');
  const args = ['security', '--offline=yes', '--no-pager', '--threshold=20', unit];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  // The threshold is ten times what is printed: it fails above 2.0.
  assert.equal(status, 0, stdout + stderr);
  t.diagnostic(stdout.trim().split('\n').at(-1) ?? '');
});
