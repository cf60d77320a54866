/** Commands that run beside something else: a feed that is followed, a browser that is opened. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { withFeeds } from '../../../api/feed/feed-fixture.ts';
import { program } from '../../../harness/server/program.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { remoteFixture, seed } from './remote-fixture.ts';

const remote = await remoteFixture({ after });
await seed(remote);

test('feed --follow prints records as they are written, and ends with Ctrl-C and exit code 0', async (t) => {
  const { server, user, env } = remote;
  const child = spawn(process.execPath, [program, 'feed', 'nod', '--follow', '--domain', 'fresh*'], {
    env: { ...process.env, ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  const shown: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => shown.push(text));
  const closed = once(child, 'close');
  const feeds = withFeeds(server, user.key, user.username);
  // It starts at an unknown moment, so records are appended until it has printed one.
  for (let number = 0; shown.length === 0 && child.exitCode === null; number += 1) {
    await feeds.appendNames('nod', `fresh${number}.example`, `stale${number}.example`);
    await pause(100);
  }
  child.kill('SIGINT');
  const [code] = (await closed) as [number | null];
  assert.equal(code, 0);
  for (const line of shown.join('').trimEnd().split('\n'))
    assert.match(JSON.parse(line).domain, /^fresh\d+\.example$/);
});

test('domain --open hands the page of the domain to the browser of the desktop', async (t) => {
  const directory = temporaryDirectory(t);
  const [opened, opener] = [join(directory, 'opened'), join(directory, 'xdg-open')];
  writeFileSync(
    opener,
    `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
  );
  chmodSync(opener, 0o755);
  const env = { PATH: `${directory}:/usr/bin:/bin` };
  const { code } = await remote.pipe(['domain', 'acme-login.example', '--open'], { env });
  assert.equal(code, 0);
  for (let tries = 0; !existsSync(opened) && tries < 500; tries += 1) await pause(20);
  assert.match(readFileSync(opened, 'utf8'), /^http:\/\/127\.0\.0\.1:\d+\/ui\/domain\/acme-login\.example$/);
});

test('domain --open without a desktop prints the address', async (t) => {
  const env = { PATH: temporaryDirectory(t) };
  const { code, err } = await remote.pipe(['domain', 'acme-login.example', '--open'], { env });
  assert.equal(code, 0);
  assert.match(err, /the page is http:\/\/127\.0\.0\.1:\d+\/ui\/domain\/acme-login\.example/);
});

test('a closed pipe ends a command without a message', async () => {
  const child = spawn('/bin/sh', ['-c', `"$NODE" "$MAIN" detect list --json | head -1`], {
    env: { ...process.env, ...remote.env, NODE: process.execPath, MAIN: program },
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.deepEqual([code, err], [0, '']);
});
