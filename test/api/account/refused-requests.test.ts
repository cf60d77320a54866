/** Refused requests to the account endpoint, and that it is never rate-limited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productIds } from '../../../src/model/product-catalogue.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { Answer, CallOptions } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const route = 'GET /v1/account/';
const path = '/v1/account/';
const now = '2026-03-04T10:11:12Z';
const author = { actor: 'operator', atMs: 0 };

function assertRefused(answer: Answer, what?: string): void {
  assert.equal(answer.status, 403, what);
  assert.equal(answer.json.error.code, 403, what);
  assert.equal(typeof answer.json.error.message, 'string', what);
  assert.equal(answer.json.response, undefined, what);
}

test('ACC-11 missing credentials return 403', async () => {
  const server = await sharedServer();
  const user = await server.user();
  assertRefused(await server.call(route));
  assertRefused(await server.call('GET /v1/account'));
  assertRefused(await server.call(`${route}?api_username=${user.username}`));
});

test('ACC-12 invalid credentials of every kind return 403', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const wrong = { username: user.username, key: 'wrong-key' };
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const refused: Readonly<Record<string, CallOptions & { readonly query?: string }>> = {
    'wrong key in the header': { key: 'wrong-key' },
    'wrong key in the query': { query: queryOf({ api_username: user.username, api_key: 'wrong-key' }) },
    'unknown user': { query: queryOf({ api_username: 'nobody', api_key: user.key }) },
    'query key without user': { query: queryOf({ api_key: user.key }) },
    'wrong Basic password': { headers: basic(`${user.username}:wrong-key`) },
    'unknown Basic user': { headers: basic(`nobody:${user.key}`) },
    'signature by a wrong key': { query: queryOf(signed(wrong, now, path)) },
    'signature of an unknown user': {
      query: queryOf(signed({ username: 'nobody', key: user.key }, now, path)),
    },
    'signature that is none': {
      query: queryOf({ api_username: user.username, timestamp: now, signature: 'x' }),
    },
    'signature without timestamp': {
      query: queryOf({ api_username: user.username, signature: signed(user, now, path).signature }),
    },
  };
  for (const [what, { query = '', ...sent }] of Object.entries(refused)) {
    assertRefused(await server.call(`${route}?${query}`, sent), what);
  }
});

test('ACC-12 an expired key returns 403', async () => {
  const server = await sharedServer();
  const { key } = await server.user({ keyExpiresMs: server.clock.now() + 1000 });
  assert.equal((await server.call(route, { key })).status, 200);
  server.clock.advanceSeconds(2);
  assertRefused(await server.call(route, { key }));
});

test('ACC-13 valid credentials of an inactive account return 403 until it is active again', async () => {
  const server = await sharedServer();
  const { key, username } = await server.user();
  await server.accounts.setAccountActive(username, false, author);
  assertRefused(await server.call(route, { key }));
  await server.accounts.setAccountActive(username, true, author);
  assert.equal((await server.call(route, { key })).status, 200);
});

test('ACC-13 valid credentials of an account without any product return 403', async () => {
  const server = await sharedServer();
  const { key, username } = await server.user();
  await server.accounts.withdraw(username, productIds, author);
  assertRefused(await server.call(route, { key }));
});

test('ACC-14 missing, invalid and unprovisioned credentials have three different messages', async () => {
  const server = await sharedServer();
  const inactive = await server.user();
  const empty = await server.user();
  await server.accounts.setAccountActive(inactive.username, false, author);
  await server.accounts.withdraw(empty.username, productIds, author);

  const message = async (key?: string) => {
    const answer = await server.call(route, key === undefined ? {} : { key });
    assertRefused(answer);
    return answer.json.error.message as string;
  };
  const missing = await message();
  const invalid = await message('wrong-key');
  for (const unprovisioned of [await message(inactive.key), await message(empty.key)]) {
    assert.equal(new Set([missing, invalid, unprovisioned]).size, 3);
  }
});

test('ACC-14 every kind of invalid credentials has a different message than missing ones', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const missing = (await server.call(route)).json.error.message;
  const invalid = [
    await server.call(route, { key: 'wrong-key' }),
    await server.call(`${route}?${queryOf({ api_username: 'nobody', api_key: 'wrong-key' })}`),
    await server.call(`${route}?${queryOf(signed({ ...user, key: 'wrong-key' }, now, path))}`),
    await server.call(`${route}?${queryOf(signed(user, '2026-03-04T09:00:00Z', path))}`),
  ];
  for (const answer of invalid) {
    assertRefused(answer);
    assert.notEqual(answer.json.error.message, missing);
  }
});

test('ACC-15 account calls are never throttled, whatever the limits of the product are', async () => {
  const server = await sharedServer();
  const { key, username } = await server.user();
  const tight = {
    product: 'account-information',
    perMinute: 1,
    perHour: 1,
    perMonth: 1,
    absolute: 1,
  } as const;
  await server.accounts.provision(username, [tight], author);
  const answers = await Promise.all(Array.from({ length: 700 }, () => server.call(route, { key })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});

test('ACC-15 account calls do not count against any limit', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  const first = await server.call(route, { key });
  for (let made = 0; made < 20; made += 1) await server.call(route, { key });
  const last = await server.call(route, { key });
  assert.equal(last.text, first.text);
  for (const { id, usage } of last.json.response.products) {
    assert.deepEqual(usage, { today: '0', month: '0' }, id);
  }
});

test('ACC-14 an empty header, as an unset shell variable produces, is reported as missing', async () => {
  const server = await sharedServer();
  const [absent, empty] = [
    await server.call('GET /v1/account/'),
    await server.call('GET /v1/account/', { key: '' }),
  ];
  assert.equal(empty.status, 403);
  assert.equal(empty.json.error.message, absent.json.error.message);
});
