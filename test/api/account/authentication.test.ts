/**
 * API keys as credentials. Other methods are tested in `credential-methods.test.ts` and `signature.test.ts`,
 * permissions in `permissions.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import {
  contractWrites,
  echoedOperations,
  echoOperations,
  routeOf,
} from '../../harness/server/echo-operations.ts';
import {
  badBodyFor,
  bodyFor,
  everyOperation,
  everyPermission,
  hasBody,
  pathOf,
  repeatable,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';

const sharedServer = sharedServers();

const now = '2026-03-04T10:11:12Z';
const butAccount = everyOperation.filter((id) => id !== 'getAccountInfo');

async function probedServer() {
  const server = await sharedServer({ operations: echoOperations, settings: withoutLimits });
  return { ...server, admin: await server.user({ permissions: everyPermission }) };
}

function basic(username: string, key: string) {
  return { authorization: `Basic ${Buffer.from(`${username}:${key}`).toString('base64')}` };
}

function open(username: string, key: string): string {
  return queryOf({ api_username: username, api_key: key });
}

test('AUTH-01 a request without credentials returns 401 on every operation but account information', async () => {
  const server = await probedServer();
  for (const id of butAccount) {
    const answer = await server.call(routeOf(id), bodyFor(id));
    assert.deepEqual([answer.status, answer.json.error.code], [401, 401], id);
  }
});

test('AUTH-01 a username alone, or with a timestamp, is not a credential', async () => {
  const server = await probedServer();
  const { username } = server.admin;
  for (const query of [`api_username=${username}`, `api_username=${username}&timestamp=${now}`]) {
    assert.equal((await server.call(`GET /v1/intel-enrich/?${query}`)).status, 401);
  }
});

test('AUTH-02 an unknown key returns 401 on every operation but account information', async () => {
  const server = await probedServer();
  const { username, key, batchKey } = server.admin;
  for (const id of butAccount) {
    for (const wrong of ['unknown', '', key.slice(0, -1), `${key}x`, key.toUpperCase(), batchKey]) {
      const answer = await server.call(routeOf(id), { key: wrong, ...bodyFor(id) });
      assert.deepEqual([answer.status, answer.json.error.code], [401, 401], id);
    }
    const route = `${routeOf(id)}?${open(username, 'wrong')}`;
    assert.equal((await server.call(route, bodyFor(id))).status, 401, id);
    const headers = basic(username, 'wrong');
    assert.equal((await server.call(routeOf(id), { headers, ...bodyFor(id) })).status, 401, id);
  }
});

test('AUTH-03 an expired key returns 401 with every method', async () => {
  const server = await probedServer();
  const { username, key } = await server.user({ keyExpiresMs: server.clock.now() + 60_000 });
  const route = 'GET /v1/intel-enrich/';
  const all = (timestamp: string) => [
    server.call(route, { key }),
    server.call(`${route}?${open(username, key)}`),
    server.call(route, { headers: basic(username, key) }),
    server.call(`${route}?${queryOf(signed({ username, key }, timestamp, '/v1/intel-enrich/'))}`),
  ];
  server.clock.advanceSeconds(59);
  const before = await Promise.all(all('2026-03-04T10:12:11Z'));
  assert.deepEqual(
    before.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  server.clock.advanceSeconds(2);
  const after = await Promise.all(all('2026-03-04T10:12:13Z'));
  assert.deepEqual(
    after.map(({ status }) => status),
    [401, 401, 401, 401],
  );
});

test('AUTH-04 the header alone authenticates every operation', async () => {
  const server = await probedServer();
  for (const id of repeatable) {
    const answer = await server.call(routeOf(id), { key: server.admin.key, ...bodyFor(id) });
    assert.equal(answer.status, 200, id);
  }
});

test('AUTH-04 the header name is case-insensitive', async () => {
  const server = await probedServer();
  for (const name of ['X-Api-Key', 'x-api-key', 'X-API-KEY', 'x-aPI-kEY']) {
    const answer = await callOverSocket(server, '/v1/account/', { [name]: server.admin.key });
    assert.equal(answer.status, 200, name);
    assert.equal(JSON.parse(answer.text).response.account.api_username, server.admin.username);
    assert.equal((await callOverSocket(server, '/v1/account/', { [name]: 'wrong' })).status, 403, name);
  }
});

test('AUTH-05 api_username and api_key in the query authenticate every operation', async () => {
  const server = await probedServer();
  const { username, key } = server.admin;
  for (const id of repeatable) {
    const answer = await server.call(`${routeOf(id)}?${open(username, key)}`, bodyFor(id));
    assert.equal(answer.status, 200, id);
  }
});

test('AUTH-06 a query key without a username is refused with 401', async () => {
  const server = await probedServer();
  for (const id of butAccount) {
    for (const query of [`api_key=${server.admin.key}`, `api_username=&api_key=${server.admin.key}`]) {
      assert.equal((await server.call(`${routeOf(id)}?${query}`, bodyFor(id))).status, 401, id);
    }
  }
});

test('AUTH-06 a query key with another user’s name is refused with 401', async () => {
  const server = await probedServer();
  const { username, key } = server.admin;
  const otherUser = await server.user();
  const colleague = await server.user({ account: username });
  const others = [otherUser.username, colleague.username, 'nobody', username.toUpperCase()];
  for (const id of butAccount) {
    for (const other of others) {
      const answer = await server.call(`${routeOf(id)}?${open(other, key)}`, bodyFor(id));
      assert.equal(answer.status, 401, `${id} ${other}`);
    }
    const two = `${routeOf(id)}?${open(otherUser.username, key)}&${open(username, key)}`;
    assert.equal((await server.call(two, bodyFor(id))).status, 401, `${id} with two names`);
  }
});

test('AUTH-07 api_username and api_key are accepted in a form body and in a JSON body', async () => {
  const server = await probedServer();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const { username, key } = server.admin;
  for (const id of echoedOperations.filter(hasBody)) {
    const members = { term: 'acme', api_username: username, api_key: key };
    for (const [api_key, status] of [
      [key, 200],
      ['wrong', 401],
    ] as const) {
      const inForm = { headers: form, body: queryOf({ ...members, api_key }) };
      assert.equal((await server.call(routeOf(id), inForm)).status, status, `${id} form`);
      const inJson = { body: { ...members, api_key } };
      assert.equal((await server.call(routeOf(id), inJson)).status, status, `${id} JSON`);
    }
  }
});

test('AUTH-07 a JSON key that is not a string is refused with 401', async () => {
  const server = await probedServer();
  const { username, key } = server.admin;
  for (const api_key of [null, true, 0, [key], { key }, '']) {
    const body = { term: 'acme', api_username: username, api_key };
    assert.equal((await server.call(routeOf('postIntelEnrich'), { body })).status, 401);
  }
});

test('AUTH-33 no cookie is accepted as a credential', async () => {
  const server = await probedServer();
  const { username, key } = server.admin;
  for (const id of butAccount) {
    for (const cookie of [
      `session=${key}`,
      `X-Api-Key=${key}`,
      `api_username=${username}; api_key=${key}`,
      `SAMLResponse=${Buffer.from(username).toString('base64')}`,
      queryOf(signed(server.admin, now, pathOf(id))).replaceAll('&', '; '),
    ]) {
      const answer = await server.call(routeOf(id), { headers: { cookie }, ...bodyFor(id) });
      assert.equal(answer.status, 401, id);
    }
  }
});

test('AUTH-33 a cookie does not affect a request with a key, and no response sets one', async () => {
  const server = await probedServer();
  for (const id of repeatable) {
    const request = { key: server.admin.key, ...bodyFor(id) };
    const plain = await server.call(routeOf(id), request);
    const headers = { cookie: 'session=other; api_key=wrong' };
    const answer = await server.call(routeOf(id), { ...request, headers });
    assert.deepEqual([answer.status, answer.text], [200, plain.text], id);
    assert.equal(answer.headers['set-cookie'], undefined, id);
  }
});

test('AUTH-34 bad or missing credentials with bad parameters return 401, not 400 or 422', async () => {
  const server = await probedServer();
  for (const id of butAccount) {
    for (const key of [{}, { key: 'wrong' }]) {
      const bad = await server.call(`${routeOf(id)}?mx_exists=maybe&limit=x&format=no`, {
        ...key,
        ...badBodyFor(id),
      });
      assert.equal(bad.status, 401, id);
      if (!hasBody(id)) continue;
      for (const body of [{}, { term: 'a' }, '[]', '"text"', '\u0000']) {
        const headers = { 'content-type': 'application/json' };
        assert.equal((await server.call(routeOf(id), { ...key, body, headers })).status, 401, id);
      }
    }
  }
});

test('AUTH-34 a missing permission with bad parameters returns 403, and with the permission 400 or 422', async () => {
  const server = await probedServer();
  const { key: readOnly } = await server.user();
  for (const id of contractWrites) {
    const invalid = { body: { term: 'a' } };
    assert.equal((await server.call(routeOf(id), { key: readOnly, ...badBodyFor(id) })).status, 403, id);
    assert.equal((await server.call(routeOf(id), { key: readOnly, ...invalid })).status, 403, id);
    const { key } = server.admin;
    assert.equal((await server.call(routeOf(id), { key, ...badBodyFor(id) })).status, 400, id);
    assert.equal((await server.call(routeOf(id), { key, ...invalid })).status, 422, id);
  }
});

test('AUTH-34 a caller without a key cannot learn whether a feed exists', async () => {
  const server = await probedServer();
  assert.equal((await server.call('GET /v1/download/unknown/', { key: 'wrong' })).status, 401);
  assert.equal((await server.call('GET /v1/download/unknown/', { key: server.admin.key })).status, 404);
});
