/** What is on the disk of PostgreSQL, and in its log, must give nobody a key, a password or a session. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fromBase32, totpCode, totpStep } from '../../../../src/model/person/totp.ts';
import { canaryPattern } from '../../../harness/artifacts.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { unusedS3 } from '../../../harness/engines/unused-s3.ts';
import type { Answer, TestServer } from '../../../harness/server/test-server.ts';
import { fileScope } from '../../../harness/test-scope.ts';

// Every statement is logged, with all of its parameters.
const scope = fileScope();
const postgres = await startPostgres(scope, {
  settings: {
    logging_collector: 'on',
    log_directory: 'log',
    log_statement: 'all',
    log_error_verbosity: 'verbose',
  },
});

if (!postgres)
  test('the disk of PostgreSQL holds no secrets', { skip: 'skipped: no PostgreSQL' }, () => undefined);
else {
  process.env['TEST_ENGINES'] = JSON.stringify({ postgresUrl: postgres.url, s3: unusedS3 });
  const { testServer } = await import('../../../harness/server/test-server.ts');
  const server = await testServer(scope);

  test('tables, write-ahead log and log of PostgreSQL hold no key, password, session or second factor in clear text', async () => {
    const secrets = [...(await useKeys(server)), ...(await signIn(server))];
    assert.ok(secrets.every(({ length }) => length > 7));
    await postgres.run('checkpoint');
    const files = filesBelow(postgres.directory);
    const contents = files.map((path) => ({ path, text: readFileSync(path, 'latin1') }));
    assert.ok(
      contents.some(({ path, text }) => path.includes('/log/') && text.includes('insert into')),
      'the log of PostgreSQL is searched',
    );
    const leaks = contents.flatMap(({ path, text }) => [
      ...secrets.filter((secret) => text.includes(secret)).map((secret) => `${path}: ${secret}`),
      ...(text.match(canaryPattern) ?? []).slice(0, 1).map((key) => `${path}: ${key}`),
    ]);
    assert.deepEqual(leaks, []);
  });
}

/** Keys of all kinds, right and wrong, in all ways. */
async function useKeys(server: TestServer): Promise<readonly string[]> {
  const owner = await server.user();
  const other = await server.user({ account: owner.username });
  const works = async (key: string) => (await server.call('GET /v1/account/', { key })).status === 200;
  assert.equal(await works(owner.key), true);
  assert.equal(await works('not-the-key-of-anybody'), false);
  await server.call(`GET /v1/account/?api_username=${owner.username}&api_key=${owner.key}`);
  await server.call('GET /pdns/lookup/rrset/name/a.example', { key: owner.key });
  await server.call(`GET /batchd/channels?apikey=${owner.batchKey}`);
  const body = { username: other.username };
  const reset = await server.call('POST /v1/account/keys/reset/', { key: owner.key, body });
  const fresh = reset.json.response.api_key as string;
  assert.deepEqual([await works(fresh), await works(other.key)], [true, false]);
  return [owner.key, owner.batchKey, other.key, fresh, 'not-the-key-of-anybody'];
}

/** A person with a password and a second factor. */
async function signIn(server: TestServer): Promise<readonly string[]> {
  const { webCall, webSession } = await import('../../../harness/server/web-session.ts');
  const [password, wrong] = ['seven unrelated otters', 'eight related badgers'];
  const me = await webSession(server);
  const set = await me.call('PUT /me/password', { body: { password } });
  assert.equal(set.status, 204);
  const cookie = cookieOf(set);
  const secret = (await webCall(server, 'POST /me/totp', { cookie })).json.secret as string;
  const code = totpCode(fromBase32(secret), totpStep(server.clock.now()));
  const confirmed = await webCall(server, 'PUT /me/totp', { cookie, body: { code } });
  const codes = confirmed.json.recovery_codes as string[];
  const attempt = (given: string) =>
    webCall(server, 'POST /session', { body: { username: me.person.name, password: given } });
  assert.equal((await attempt(wrong)).status, 401);
  const { step } = (await attempt(password)).json as { step: string };
  const entered = await webCall(server, 'POST /session/totp', { body: { step, code: codes[0] } });
  assert.equal(entered.status, 200);
  const tokens = [me.cookie, cookie, cookieOf(entered)].map((text) => text.replace('ng=', ''));
  return [password, wrong, secret, step, ...codes, ...tokens];
}

function cookieOf(answer: Answer): string {
  return /^ng=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? assert.fail();
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
