import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { withThisNode } from '../../harness/packed-package.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const root = join(import.meta.dirname, '../../..');

test('SIGTERM to npm start stops the server and the simulated Internet beside it', async (t) => {
  const data = temporaryDirectory(t);
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
    cwd: root,
    env: withThisNode(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, which nothing may be left of.
    detached: true,
  });
  const group = -(npm.pid ?? 0);
  t.after(() => {
    if (isAlive(group)) process.kill(group, 'SIGKILL');
  });
  const exited = once(npm, 'exit');
  let text = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('API reference')) break;
  }
  npm.stdout.resume();
  npm.stderr.resume();
  const url = /ready at (\S+)/.exec(text)?.[1];
  assert.equal((await fetch(`${url}/healthz`)).status, 200);

  npm.kill('SIGTERM');
  await exited;
  assert.equal(isAlive(group), false);
  await assert.rejects(fetch(`${url}/healthz`));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
