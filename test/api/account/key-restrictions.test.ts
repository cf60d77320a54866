/** Expiry, addresses and products of keys, in all three APIs and with every way to send a key. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { type TestUser, testServer } from '../../harness/server/test-server.ts';

const server = await testServer({ after });
const office = '192.0.2.7';
const elsewhere = '198.51.100.9';
const nobody = { key: 'ngk_unknown', username: 'nobody', batchKey: '00000000-0000-4000-8000-000000000001' };

/** One request with each kind of credentials, in order of the three APIs. */
async function everyWay({ username, key, batchKey }: Omit<TestUser, 'caller'>, from: string) {
  const [path, query] = ['/v1/intel-enrich/', 'domain=a.example'];
  const timestamp = new Date(server.clock.now()).toISOString();
  const basic = `Basic ${Buffer.from(`${username}:${key}`).toString('base64')}`;
  return Promise.all([
    server.call(`GET ${path}?${query}`, { key, from }),
    server.call(`GET ${path}?${query}&${queryOf({ api_username: username, api_key: key })}`, { from }),
    server.call(`GET ${path}?${query}`, { headers: { authorization: basic }, from }),
    server.call(`GET ${path}?${query}&${queryOf(signed({ username, key }, timestamp, path))}`, { from }),
    server.call('GET /v1/account/', { key, from }),
    server.call('GET /pdns/v2/lookup/rrset/name/a.example', { key, from }),
    server.call('GET /pdns/v2/rate_limit', { key, from }),
    server.call('POST /batchd/v1/validate', { body: { apikey: batchKey }, from }),
  ]);
}

const statusesOf = async (user: Omit<TestUser, 'caller'>, from: string) =>
  (await everyWay(user, from)).map(({ status }) => status);

const refused = [401, 401, 401, 401, 403, 403, 403, 403];

test('a key works from the addresses it is bound to, in all APIs and ways to send it', async () => {
  const user = await server.user({ keyAddresses: ['192.0.2.0/24', '2001:db8::/32'] });
  for (const from of [office, '2001:db8::1', '::ffff:192.0.2.200']) {
    server.clock.advanceSeconds(1);
    assert.deepEqual(await statusesOf(user, from), [200, 200, 200, 200, 200, 200, 200, 200], from);
  }
});

test('AUTH-02 from another address a key is answered exactly as one that does not exist', async () => {
  const user = await server.user({ keyAddresses: [office] });
  const withoutIds = (text: string) => text.replaceAll(/[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[^"]*/g, '');
  const [bound, unknown] = [await everyWay(user, elsewhere), await everyWay(nobody, elsewhere)];
  assert.deepEqual(
    bound.map(({ status, text }) => [status, withoutIds(text)]),
    unknown.map(({ status, text }) => [status, withoutIds(text)]),
  );
  assert.deepEqual(
    bound.map(({ status }) => status),
    refused,
  );
});

test('AUTH-03 an expired key is refused in all APIs', async () => {
  const user = await server.user({ keyExpiresMs: server.clock.now() + 1000 });
  assert.deepEqual(new Set(await statusesOf(user, office)), new Set([200]));
  server.clock.advanceSeconds(1);
  assert.deepEqual(await statusesOf(user, office), refused);
});

test('a change of the addresses counts from the next request', async () => {
  const user = await server.user();
  const author = { actor: 'operator', atMs: server.clock.now() };
  const status = async () => (await server.call('GET /v1/account/', { key: user.key, from: office })).status;
  assert.equal(await status(), 200);
  await server.accounts.updateUser(user.username, { keyAddresses: [elsewhere] }, author);
  assert.equal(await status(), 403);
  await server.accounts.updateUser(user.username, { keyAddresses: [] }, author);
  assert.equal(await status(), 200);
});

test('AUTH-27 a key with some products gets 403 for others, and the account has all of them still', async () => {
  const { key, caller } = await server.user({ products: ['intel-enrich'] });
  const other = await server.user({ account: caller.account.name });
  const status = async (path: string, by: string) => (await server.call(`GET ${path}`, { key: by })).status;
  assert.deepEqual(
    [
      await status('/v1/intel-enrich/?domain=a.example', key),
      await status('/v1/intel-investigate/?domain=a.example', key),
      await status('/v1/intel-investigate/?domain=a.example', other.key),
      await status('/v1/account/', key),
    ],
    [200, 403, 200, 200],
  );
});

test('the last use of a key, and the last refusal of a right one, are known', async () => {
  const user = await server.user({ keyAddresses: [office] });
  const { id } = user.caller.user;
  const last = async () => (await server.usage.lastUses([id])).get(id);
  await server.call('GET /v1/account/', { key: user.key, from: office });
  const usedMs = server.clock.now();
  assert.deepEqual(await last(), { atMs: usedMs, address: office });
  server.clock.advanceSeconds(60);
  for (const answer of await everyWay(user, elsewhere)) assert.notEqual(answer.status, 200);
  const refusal = { atMs: server.clock.now(), address: elsewhere, why: 'address' };
  assert.deepEqual(await last(), { atMs: usedMs, address: office, refused: refusal });
});

test('requests count by user and item on their day: products, passive DNS, batch, free and refused ones', async () => {
  const user = await server.user();
  server.clock.advanceSeconds(1);
  await everyWay(user, office);
  await server.call('GET /v1/intel-enrich/', { key: user.key });
  const uses = await server.usage.dailyUses(user.caller.account.id, 0);
  assert.deepEqual(
    uses.map(({ username, item, used }) => [username, item, used]),
    [
      [user.username, 'batch', 1],
      [user.username, 'free', 2],
      [user.username, 'intel-enrich', 4],
      [user.username, 'pdns', 1],
      [user.username, 'refused', 1],
    ],
  );
});

test('keys that share a passive DNS grant draw on one quota', async () => {
  const quota = { type: 'time', limit: 3, period: 86_400 } as const;
  const owner = await server.user({ pdns: { quota, allowedAddresses: [], apiVersions: [2] } });
  const account = owner.caller.account.name;
  const key = 'ngk_shares-the-grant';
  await server.accounts.createUser(
    { account, username: 'sharing', permissions: ['read'], apiKey: key, pdnsSharedWith: owner.username },
    [],
    { actor: 'operator', atMs: server.clock.now() },
  );
  const lookup = async (by: string) =>
    (await server.call('GET /pdns/v2/lookup/rrset/name/a.example', { key: by })).status;
  assert.deepEqual(
    [
      await lookup(owner.key),
      await lookup(key),
      await lookup(key),
      await lookup(key),
      await lookup(owner.key),
    ],
    [200, 200, 200, 429, 429],
  );
});
