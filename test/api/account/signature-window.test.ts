/** When a signature is valid: within its time window, and only once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { echoOperations } from '../../harness/server/echo-operations.ts';
import { withoutLimits } from '../../harness/server/every-operation.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { testServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const start = '2026-03-04T10:11:12Z';
const path = '/v1/intel-enrich/';
const windowSeconds = 15 * 60;

async function signingServer() {
  const server = await sharedServer({ operations: echoOperations, settings: withoutLimits });
  const user = await server.user();
  const query = (timestamp = start) => queryOf(signed(user, timestamp, path));
  const status = async (url: string) => (await server.call(`GET ${path}?${url}`)).status;
  return { ...server, user, query, status };
}

function secondsFromStart(seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

test('AUTH-15 a signature is accepted up to 15 minutes before and after the server time', async () => {
  const server = await signingServer();
  for (const seconds of [-900, -899, -1, 0, 1, 899, 900]) {
    assert.equal(await server.status(server.query(secondsFromStart(seconds))), 200, String(seconds));
  }
});

test('AUTH-15 a signature more than 15 minutes from the server time returns 401', async () => {
  const server = await signingServer();
  for (const seconds of [-86_400, -3600, -901, 901, 3600, 86_400]) {
    assert.equal(await server.status(server.query(secondsFromStart(seconds))), 401, String(seconds));
  }
  server.clock.set('2026-03-04T10:26:12.001Z');
  assert.equal(await server.status(server.query()), 401, 'one millisecond late');
  server.clock.set('2026-03-04T10:26:12.000Z');
  assert.equal(await server.status(server.query()), 200);
});

test('AUTH-15 the timestamp’s time zone is taken into account', async () => {
  const server = await signingServer();
  assert.equal(await server.status(server.query('2026-03-04T02:11:12-0800')), 200);
  assert.equal(await server.status(server.query('2026-03-04T10:11:12-0800')), 401);
  assert.equal(await server.status(server.query('2026-03-04T10:11:12+0100')), 401);
});

test('AUTH-15 a timestamp that is not a valid time returns 401', async () => {
  const server = await signingServer();
  for (const timestamp of [
    '',
    'now',
    '1772619072',
    '2026-03-04',
    '2026-03-04T25:11:12Z',
    '2026-13-04T10:11:12Z',
  ]) {
    assert.equal(await server.status(server.query(timestamp)), 401, timestamp);
  }
});

test('AUTH-15 whether a signature is valid depends only on its distance from the server time', async () => {
  const server = await signingServer();
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -2 * windowSeconds, max: 2 * windowSeconds }), async (seconds) => {
      made += 1;
      const status = await server.status(
        `${server.query(secondsFromStart(seconds))}&domain=n${made}.example`,
      );
      assert.equal(status, Math.abs(seconds) <= windowSeconds ? 200 : 401);
    }),
  );
});

test('AUTH-17 an identical signed request is refused the second time', async () => {
  const server = await signingServer();
  const query = server.query();
  assert.equal(await server.status(query), 200);
  assert.equal(await server.status(query), 401);
  const other = await server.call(`GET ${path}?${query}`, {
    headers: { 'user-agent': 'other', accept: '*/*' },
  });
  assert.equal(other.status, 401, 'other headers do not make it another request');
});

test('AUTH-17 the account endpoint refuses a repeated signed request with 403', async () => {
  const server = await signingServer();
  const route = `GET /v1/account/?${queryOf(signed(server.user, start, '/v1/account/'))}`;
  assert.equal((await server.call(route)).status, 200);
  assert.equal((await server.call(route)).status, 403);
});

test('AUTH-17 the same signature with another query is accepted, as when paging within one second', async () => {
  const server = await signingServer();
  const query = server.query();
  for (let limit = 0; limit < 5; limit += 1) {
    assert.equal(await server.status(`${query}&limit=${limit}`), 200);
  }
  for (let limit = 0; limit < 5; limit += 1) {
    assert.equal(await server.status(`${query}&limit=${limit}`), 401);
  }
});

test('AUTH-17 a read with the same signature and another body or method counts as another request', async () => {
  const server = await signingServer();
  const members = signed(server.user, start, path);
  const post = async (domain: string) =>
    (await server.call(`POST ${path}`, { body: { ...members, domain } })).status;
  assert.equal(await post('a.example'), 200);
  assert.equal(await post('b.example'), 200);
  assert.equal(await post('a.example'), 401);
  assert.equal(await server.status(queryOf(members)), 200);
  assert.equal((await server.call(`POST ${path}?${queryOf(members)}`)).status, 200);
  assert.equal(await server.status(queryOf(members)), 401);
});

test('AUTH-17 of 50 concurrent identical signed requests exactly one is answered', async () => {
  const server = await signingServer();
  const query = server.query();
  const statuses = await Promise.all(Array.from({ length: 50 }, () => server.status(query)));
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.equal(statuses.filter((status) => status === 401).length, 49);
});

test('AUTH-17 of 50 concurrent identical signed requests to two servers of one installation exactly one is answered', async (t) => {
  const first = await signingServer();
  const second = await testServer(t, {
    operations: echoOperations,
    directory: first.directory,
    clock: first.clock,
  });
  const route = `GET ${path}?${first.query()}`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? first : second).call(route)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 401).length, 49);
});

test('AUTH-17 a replayed request is refused until its window ends, also after older ones are forgotten', async () => {
  const server = await signingServer();
  const ahead = server.query(secondsFromStart(windowSeconds));
  assert.equal(await server.status(ahead), 200);
  for (const seconds of [60, windowSeconds, 2 * windowSeconds - 1, 2 * windowSeconds]) {
    server.clock.set(secondsFromStart(seconds));
    await server.usage.pruneUsage(server.clock.now());
    assert.equal(await server.status(ahead), 401, String(seconds));
  }
  const late = server.query(secondsFromStart(windowSeconds));
  assert.equal(await server.status(`${late}&domain=other.example`), 200, 'the signature itself still counts');
});

test('AUTH-17 a failed signature does not block the correctly signed request', async () => {
  const server = await signingServer();
  const early = server.query(secondsFromStart(windowSeconds + 60));
  assert.equal(await server.status(early), 401);
  server.clock.advanceSeconds(120);
  assert.equal(await server.status(early), 200);
});

test('AUTH-17 the same request in another spelling counts as a replay and returns 401', async () => {
  const server = await signingServer();
  const query = server.query();
  assert.equal(await server.status(`${query}&domain=a.example`), 200);
  const name = server.user.username;
  for (const other of [
    `domain=a.example&${query}`,
    `${query}&domain=a.example&`,
    `${query}&domain=%61.example`,
    `${query.replace(`=${name}`, `=%${name.charCodeAt(0).toString(16)}${name.slice(1)}`)}&domain=a.example`,
  ]) {
    assert.equal(await server.status(other), 401, other);
  }
  assert.equal(await server.status(`${query}&domain=b.example`), 200);
});

test('AUTH-17 a signature used for a read cannot create a key, and one that created a key cannot create another', async () => {
  const server = await sharedServer();
  const owner = await server.user({ permissions: ['admin'] });
  const keys = '/v1/account/keys/';
  const seen = queryOf(signed(owner, start, keys));
  assert.equal((await server.call(`GET ${keys}?${seen}`)).status, 200);
  assert.equal((await server.call(`POST ${keys}?${seen}&username=evil`)).status, 401);
  const fresh = queryOf(signed(owner, secondsFromStart(1), keys));
  assert.equal((await server.call(`POST ${keys}?${fresh}&username=first`)).status, 200);
  assert.equal((await server.call(`POST ${keys}?${fresh}&username=second`)).status, 401);
  const users = await server.accounts.listUsers({ accountId: owner.caller.account.id, limit: 9 });
  assert.deepEqual(users.map(({ user }) => user.username).sort(), ['first', owner.username].sort());
});
