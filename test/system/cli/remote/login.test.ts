import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { remoteFixture } from './remote-fixture.ts';

const remote = await remoteFixture({ after });

/** Without the variables that name server and key. */
const fresh = (home: string) => ({ HOME: home, NAMEGLASS_SERVER: '', NAMEGLASS_API_KEY: '' });
const fileIn = (home: string) => join(home, '.config/nameglass/profiles.yaml');

test('login stores the key from standard input for its owner alone, and whoami then needs nothing else', async (t) => {
  const home = temporaryDirectory(t);
  const login = await remote.pipe(['login', remote.url], { input: `${remote.user.key}\n`, env: fresh(home) });
  assert.equal(login.code, 0, login.err);
  assert.match(login.out, new RegExp(`as ${remote.user.username}; profile default`));
  assert.ok(!(login.out + login.err).includes(remote.user.key));
  assert.equal(statSync(fileIn(home)).mode & 0o777, 0o600);
  const whoami = await remote.pipe(['whoami', '--fields', 'username,profile'], { env: fresh(home) });
  assert.deepEqual(JSON.parse(whoami.out), { username: remote.user.username, profile: 'default' });
});

test('login on a terminal asks for the key and does not show it', async (t) => {
  const home = temporaryDirectory(t);
  const args = ['login', remote.url, '--profile', 'typed'];
  const { code, out } = await remote.typed(args, {
    after: 'API key',
    input: `${remote.user.key}\n`,
    env: fresh(home),
  });
  assert.equal(code, 0, out);
  assert.match(out, /API key for .*: \n.*profile typed/);
  assert.ok(!out.includes(remote.user.key));
  assert.match(readFileSync(fileIn(home), 'utf8'), /^current: typed$/m);
});

test('a wrong key is refused with exit code 3, and stores nothing', async (t) => {
  const home = temporaryDirectory(t);
  const { code, err } = await remote.pipe(['login', remote.url], {
    input: 'not-the-key\n',
    env: fresh(home),
  });
  assert.equal(code, 3);
  assert.match(err, /^nameglass: .*refuses the key.*\n$/);
  assert.equal(existsSync(fileIn(home)), false);
});

test('--sign asks for a username, and signed requests work where the key is not sent', async (t) => {
  const home = temporaryDirectory(t);
  remote.server.clock.set(new Date().toISOString());
  t.after(() => remote.server.clock.reset());
  const alone = await remote.pipe(['login', remote.url, '--sign'], {
    input: `${remote.user.key}\n`,
    env: fresh(home),
  });
  assert.equal(alone.code, 2);
  const input = `${remote.user.username}\n${remote.user.key}\n`;
  const login = await remote.pipe(['login', remote.url, '--sign'], { input, env: fresh(home) });
  assert.equal(login.code, 0, login.err);
  const quota = await remote.pipe(['quota'], { env: fresh(home) });
  assert.equal(quota.code, 0, quota.err);
});

test('logout removes the profile, and the next command says how to log in', async (t) => {
  const home = temporaryDirectory(t);
  await remote.pipe(['login', remote.url], { input: `${remote.user.key}\n`, env: fresh(home) });
  assert.equal((await remote.pipe(['logout'], { env: fresh(home) })).code, 0);
  assert.ok(!readFileSync(fileIn(home), 'utf8').includes(remote.user.key));
  const { code, err } = await remote.pipe(['whoami', '--server', remote.url], { env: fresh(home) });
  assert.equal(code, 3);
  assert.match(err, /nameglass login http/);
  assert.equal((await remote.pipe(['logout'], { env: fresh(home) })).code, 4);
});
