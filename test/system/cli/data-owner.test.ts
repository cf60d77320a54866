/** Commands that root runs on the data of a server that runs as another user. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Nobody, on every Unix; it is enough that it is not root. */
const uid = 65_534;

function needsRoot(t: TestContext): boolean {
  if (process.getuid?.() === 0) return true;
  if (process.env['CI']) throw new Error('this test must run as root');
  t.skip('skipped: only root can give a directory to another user');
  return false;
}

/** An empty directory that another user owns, in one that everybody may enter. */
function ownedData(t: TestContext): { readonly root: string; readonly data: string } {
  const root = temporaryDirectory(t);
  chmodSync(root, 0o755);
  const data = join(root, 'data');
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, uid, uid);
  return { root, data };
}

const ownersIn = (data: string) =>
  new Set(readdirSync(data, { recursive: true }).map((name) => statSync(join(data, String(name))).uid));

async function succeeds(args: readonly string[]): Promise<string> {
  const { code, out, err } = await nameglass(args);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

test('whatever root runs on the data of another user leaves no file there that this user does not own', async (t) => {
  if (!needsRoot(t)) return;
  const { root, data } = ownedData(t);
  await succeeds(['account', 'create', '--username', 'ann', '--data', data]);
  await succeeds(['verify', 'all', '--data', data]);
  const secret = join(root, 'secret');
  const backups = join(root, 'backups');
  mkdirSync(backups);
  chownSync(backups, uid, uid);
  await succeeds(['backup', join(backups, 'first'), '--data', data, '--secret-to', secret]);
  assert.deepEqual(ownersIn(data), new Set([uid]));
  assert.equal(statSync(secret).uid, 0, 'the secret goes where root wants it');
  const { data: volume } = ownedData(t);
  await succeeds(['restore', join(backups, 'first'), '--data', volume, '--secret-from', secret]);
  assert.deepEqual(ownersIn(volume), new Set([uid]));
  assert.match(await succeeds(['account', 'list', '--data', volume]), /ann/);
});

test('where that user may not write, the error says who runs the command and what to name instead', async (t) => {
  if (!needsRoot(t)) return;
  const { root, data } = ownedData(t);
  await succeeds(['account', 'create', '--username', 'ann', '--data', data]);
  const { code, err } = await nameglass(['backup', join(root, 'private', 'backup'), '--data', data]);
  assert.equal(code, 1);
  assert.match(
    err,
    /EACCES.*; root's command runs as \S+, who owns \S+\/data, .*standard input and output \(-\)\n$/,
  );
});

test('a directory of root stays with root', async (t) => {
  if (!needsRoot(t)) return;
  const data = temporaryDirectory(t);
  writeFileSync(join(data, 'lost+found'), '');
  await succeeds(['account', 'create', '--username', 'ann', '--data', data]);
  assert.deepEqual(ownersIn(data), new Set([0]));
});
