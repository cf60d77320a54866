/** HTTP Basic, signed feed requests, and several methods in one request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import {
  bodyFor,
  everyPermission,
  methodOf,
  operationsOf,
  pathOf,
  repeatable,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { TestServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const now = '2026-03-04T10:11:12Z';

async function probedServer() {
  const server = await sharedServer({ operations: echoOperations, settings: withoutLimits });
  return { ...server, admin: await server.user({ permissions: everyPermission }) };
}

function basic(username: string, key: string) {
  return { authorization: `Basic ${Buffer.from(`${username}:${key}`).toString('base64')}` };
}

test('AUTH-18 HTTP Basic with username and key authenticates every operation', async () => {
  const server = await probedServer();
  const { username, key } = server.admin;
  for (const id of repeatable) {
    const answer = await server.call(routeOf(id), { headers: basic(username, key), ...bodyFor(id) });
    assert.equal(answer.status, 200, id);
  }
});

test('AUTH-18 HTTP Basic with a wrong key or another user’s name is refused with 401', async () => {
  const server = await probedServer();
  const { username, key } = server.admin;
  const other = await server.user();
  for (const headers of [
    basic(username, 'wrong'),
    basic(other.username, key),
    basic('', key),
    basic(key, ''),
    basic(username, `${key} `),
    { authorization: `Basic ${username}:${key}` },
    { authorization: `Bearer ${key}` },
    { authorization: key },
  ]) {
    assert.equal((await server.call('GET /v1/intel-enrich/', { headers })).status, 401);
  }
});

test('AUTH-18 a key with colons works in HTTP Basic', async () => {
  const server = await probedServer();
  const { username, key } = await server.user({ key: 'part:one:part-two' });
  const answer = await server.call('GET /v1/intel-enrich/', { headers: basic(username, key) });
  assert.equal(answer.status, 200);
});

interface Credentials {
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
}

type Method = (user: { username: string; key: string }) => Credentials;

/** In order of precedence. */
const methods: readonly (readonly [name: string, method: Method])[] = [
  ['signature', (user) => ({ query: { ...signed(user, now, '/v1/account/') } })],
  ['header', ({ key }) => ({ headers: { 'x-api-key': key } })],
  ['basic', ({ username, key }) => ({ headers: basic(username, key) })],
  ['open key', ({ username, key }) => ({ query: { api_username: username, api_key: key } })],
];

function callWith(server: TestServer, ...credentials: Credentials[]) {
  const query = Object.assign({}, ...credentials.map((one) => one.query)) as Record<string, string>;
  const headers = Object.assign({}, ...credentials.map((one) => one.headers)) as Record<string, string>;
  return server.call(`GET /v1/account/?${queryOf(query)}`, { headers });
}

test('AUTH-19 several methods in one request are accepted when they agree', async () => {
  const server = await probedServer();
  const answer = await callWith(server, ...methods.map(([, method]) => method(server.admin)));
  assert.equal(answer.status, 200);
  assert.equal(answer.json.response.account.api_username, server.admin.username);
});

test('AUTH-19 signature takes precedence over header, header over Basic, Basic over the plain key', async () => {
  for (const [index, [firstName, first]] of methods.entries()) {
    for (const [laterName, later] of methods.slice(index + 1)) {
      const server = await probedServer();
      const { username, key } = server.admin;
      const wrong = { username, key: 'wrong' };
      const what = `${firstName}, ${laterName}`;
      assert.equal((await callWith(server, later({ username, key }), first(wrong))).status, 403, what);
      const right = await callWith(server, later(wrong), first({ username, key }));
      assert.equal(right.status, 200, what);
      assert.equal(right.json.response.account.api_username, username, what);
    }
  }
});

test('AUTH-19 the method that takes precedence identifies the caller', async () => {
  const server = await probedServer();
  const other = await server.user();
  const answer = await callWith(server, ...methods.slice(2).map(([, method]) => method(other)), {
    headers: { 'x-api-key': server.admin.key },
  });
  assert.equal(answer.json.response.account.api_username, server.admin.username);
});

test('AUTH-20 each feed GET authenticates with the header alone and with HMAC', async () => {
  const server = await probedServer();
  const feeds = operationsOf('Feeds').filter(
    (id) => pathOf(id).startsWith('/v1/feed/') && methodOf(id) === 'GET',
  );
  assert.equal(feeds.length, 10, 'the nine, and the tail of any');
  for (const id of feeds) {
    assert.equal((await server.call(routeOf(id), { key: server.admin.key })).status, 200, id);
    const query = queryOf(signed(server.admin, now, pathOf(id)));
    assert.equal((await server.call(`${routeOf(id)}?${query}`)).status, 200, id);
    const wrong = queryOf(signed({ ...server.admin, key: 'wrong' }, now, pathOf(id)));
    assert.equal((await server.call(`${routeOf(id)}?${wrong}`)).status, 401, id);
  }
});
