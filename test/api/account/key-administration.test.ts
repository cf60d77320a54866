/** Key administration: who may list, create and reset keys, and what a reset does. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { echoedOperations, echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import { bodyFor, methodOf, pathOf, withoutLimits } from '../../harness/server/every-operation.ts';
import { queryOf, type Signer, signed } from '../../harness/server/request-signature.ts';
import { type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';

const now = '2026-03-04T10:11:12Z';
const list = 'GET /v1/account/keys/';
const create = 'POST /v1/account/keys/';
const reset = 'POST /v1/account/keys/reset/';

/** One account with its owner, an administrator who is not the owner, and an ordinary user. */
async function group(t: TestContext) {
  const server = await testServer(t, { operations: echoOperations, settings: withoutLimits });
  const owner = await server.user();
  const account = owner.username;
  const admin = await server.user({ account, permissions: ['admin'] });
  const plain = await server.user({ account });
  return { server, account, owner, admin, plain };
}

async function usernames(server: TestServer, { key }: TestUser): Promise<string[]> {
  const answer = await server.call(list, { key });
  assert.equal(answer.status, 200);
  return answer.json.response.users.map(({ username }: { username: string }) => username).sort();
}

async function works(server: TestServer, key: string): Promise<boolean> {
  return (await server.call('GET /v1/account/', { key })).status === 200;
}

async function resetKeyOf(server: TestServer, owner: TestUser, username: string): Promise<string> {
  const answer = await server.call(reset, { key: owner.key, body: { username } });
  assert.equal(answer.status, 200);
  return answer.json.response.api_key;
}

test('AUTH-21 an administrator lists the account’s keys without seeing any key itself', async (t) => {
  const { server, owner, admin, plain } = await group(t);
  const answer = await server.call(list, { key: admin.key });
  assert.equal(answer.status, 200);
  const users = answer.json.response.users as { username: string; api_owner: boolean }[];
  const everyone = [owner, admin, plain];
  assert.deepEqual(
    users.map(({ username }) => username).sort(),
    everyone.map(({ username }) => username).sort(),
  );
  assert.deepEqual(
    users.filter((user) => user.api_owner).map(({ username }) => username),
    [owner.username],
  );
  for (const { key, batchKey } of everyone) {
    assert.ok(!answer.text.includes(key));
    assert.ok(!answer.text.includes(batchKey));
  }
});

test('AUTH-21 a key that an administrator creates works immediately and is listed', async (t) => {
  const { server, admin } = await group(t);
  const body = { username: 'analyst', permissions: ['read', 'triage'] };
  const answer = await server.call(create, { key: admin.key, body });
  assert.equal(answer.status, 200);
  const { user, api_key: key } = answer.json.response;
  assert.deepEqual([user.username, user.permissions, user.api_owner], ['analyst', ['read', 'triage'], false]);
  const account = await server.call('GET /v1/account/', { key });
  assert.equal(account.json.response.account.api_username, 'analyst');
  assert.equal(
    (await server.call(routeOf('patchDetectDomains'), { key, body: { term: 'acme' } })).status,
    200,
  );
  assert.ok((await usernames(server, admin)).includes('analyst'));
});

test('AUTH-21 a user without the admin role can neither list nor create keys', async (t) => {
  const { server, account, owner, admin, plain } = await group(t);
  const writer = await server.user({ account, permissions: ['read', 'triage', 'escalate', 'manage'] });
  const before = await usernames(server, admin);
  for (const { key } of [owner, plain, writer]) {
    const listed = await server.call(list, { key });
    assert.deepEqual([listed.status, listed.json.error.code], [403, 403]);
    const created = await server.call(create, {
      key,
      body: { username: 'intruder', permissions: ['admin'] },
    });
    assert.deepEqual([created.status, created.json.error.code], [403, 403]);
  }
  assert.deepEqual(await usernames(server, admin), before);
});

test('AUTH-22 the API owner can reset any key of the account, including their own', async (t) => {
  const { server, owner, admin, plain } = await group(t);
  for (const { username, key } of [plain, admin, owner]) {
    const fresh = await resetKeyOf(server, owner, username);
    assert.notEqual(fresh, key);
    assert.equal(await works(server, key), false);
    const answer = await server.call('GET /v1/account/', { key: fresh });
    assert.equal(answer.json.response.account.api_username, username);
  }
});

test('AUTH-22 anyone but the API owner is refused, and the key stays valid', async (t) => {
  const { server, owner, admin, plain } = await group(t);
  const everyone = [owner, admin, plain];
  for (const { key } of [admin, plain]) {
    for (const { username } of everyone) {
      const answer = await server.call(reset, { key, body: { username } });
      assert.deepEqual([answer.status, answer.json.error.code], [403, 403]);
      assert.equal(answer.json.response, undefined);
    }
  }
  for (const key of [{}, { key: 'wrong' }]) {
    const answer = await server.call(reset, { ...key, body: { username: plain.username } });
    assert.equal(answer.status, 401);
  }
  for (const { key } of everyone) assert.equal(await works(server, key), true);
});

/** The statuses of a request to each given operation with every authentication method. */
async function statusesOf(server: TestServer, by: Signer): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  const basic = Buffer.from(`${by.username}:${by.key}`).toString('base64');
  for (const id of echoedOperations.filter((one) => methodOf(one) === 'GET')) {
    const open = queryOf({ api_username: by.username, api_key: by.key });
    const signature = queryOf(signed(by, now, pathOf(id)));
    const answers = [
      await server.call(routeOf(id), { key: by.key, ...bodyFor(id) }),
      await server.call(`${routeOf(id)}?${open}`, bodyFor(id)),
      await server.call(`${routeOf(id)}?${signature}`, bodyFor(id)),
      await server.call(routeOf(id), { headers: { authorization: `Basic ${basic}` }, ...bodyFor(id) }),
    ];
    for (const { status } of answers) statuses.add(status);
  }
  return statuses;
}

async function accountStatusesOf(server: TestServer, by: Signer): Promise<number[]> {
  const open = queryOf({ api_username: by.username, api_key: by.key });
  const signature = queryOf(signed(by, now, '/v1/account/'));
  const answers = [
    await server.call('GET /v1/account/', { key: by.key }),
    await server.call(`GET /v1/account/?${open}`),
    await server.call(`GET /v1/account/?${signature}`),
  ];
  return answers.map(({ status }) => status);
}

test('AUTH-23 AUTH-24 after a reset the old key is invalid in header, query and signature, and the new one is valid', async (t) => {
  const { server, owner, plain } = await group(t);
  assert.deepEqual(await accountStatusesOf(server, plain), [200, 200, 200]);
  const fresh = await resetKeyOf(server, owner, plain.username);
  assert.deepEqual([...(await statusesOf(server, plain))], [401]);
  server.clock.advanceSeconds(1);
  assert.deepEqual(await accountStatusesOf(server, plain), [403, 403, 403]);
  const renewed = { username: plain.username, key: fresh };
  assert.deepEqual([...(await statusesOf(server, renewed))], [200]);
  assert.deepEqual(await accountStatusesOf(server, renewed), [200, 200, 200]);
});

test('AUTH-23 AUTH-24 a reset on one server takes effect immediately on another server of the same installation', async (t) => {
  const { server, owner, plain } = await group(t);
  const { directory, clock } = server;
  const other = await testServer(t, {
    operations: echoOperations,
    settings: withoutLimits,
    directory,
    clock,
  });
  assert.deepEqual([...(await statusesOf(other, plain))], [200]);
  const fresh = await resetKeyOf(server, owner, plain.username);
  assert.equal((await other.call('GET /v1/intel-enrich/', { key: plain.key })).status, 401);
  assert.equal((await other.call('GET /v1/account/', { key: plain.key })).status, 403);
  clock.advanceSeconds(1);
  assert.deepEqual([...(await statusesOf(other, plain))], [401]);
  assert.deepEqual([...(await statusesOf(other, { username: plain.username, key: fresh }))], [200]);
});

test('AUTH-24 a user with an expired key gets access again only with the new key of a reset', async (t) => {
  const { server, account, owner } = await group(t);
  const expiring = await server.user({ account, keyExpiresMs: server.clock.now() + 1000 });
  server.clock.advanceSeconds(10);
  assert.equal(await works(server, expiring.key), false);
  const fresh = await resetKeyOf(server, owner, expiring.username);
  assert.equal(await works(server, fresh), true);
  assert.equal(await works(server, expiring.key), false);
});

test('AUTH-24 no API operation makes the old key valid again', async (t) => {
  const { server, account, owner, admin, plain } = await group(t);
  const fresh = await resetKeyOf(server, owner, plain.username);
  const author = { actor: 'operator', atMs: 0 };
  const old = { key: plain.key, new_key: plain.key, apikey: plain.key };
  await server.call(reset, { key: owner.key, body: { username: plain.username, ...old } });
  assert.equal(await works(server, plain.key), false);
  assert.equal(await works(server, fresh), false, 'a second reset ends the first new key too');
  await server.call(create, { key: admin.key, body: { username: plain.username, ...old } });
  await server.call(create, { key: admin.key, body: { username: 'heir', ...old } });
  await server.accounts.setAccountActive(account, false, author);
  await server.accounts.setAccountActive(account, true, author);
  assert.equal(await works(server, plain.key), false);
  const { directory, clock } = server;
  assert.equal(await works(await testServer(t, { directory, clock }), plain.key), false, 'another start');
});

test('AUTH-24 an operator cannot restore a key that was reset', async (t) => {
  const { server, owner, plain } = await group(t);
  await resetKeyOf(server, owner, plain.username);
  await assert.rejects(server.user({ key: plain.key }));
  assert.equal(await works(server, plain.key), false);
});

test('AUTH-25 key administration is limited to users of the same account', async (t) => {
  const { server, account, owner, admin, plain } = await group(t);
  const otherUser = await server.user({ permissions: ['admin'] });
  assert.deepEqual(await usernames(server, otherUser), [otherUser.username]);
  assert.ok(!(await usernames(server, admin)).includes(otherUser.username));

  for (const [key, username] of [
    [owner.key, otherUser.username],
    [otherUser.key, plain.username],
    [otherUser.key, owner.username],
  ]) {
    const answer = await server.call(reset, { key: key as string, body: { username } });
    const unknown = await server.call(reset, { key: key as string, body: { username: 'nobody' } });
    assert.deepEqual(
      [answer.status, answer.text],
      [404, unknown.text],
      'a user of another account is answered like an unknown one',
    );
  }
  for (const { key } of [otherUser, owner, plain]) assert.equal(await works(server, key), true);

  const body = { username: 'planted', account, account_id: account };
  assert.equal((await server.call(create, { key: otherUser.key, body })).status, 200);
  assert.deepEqual(await usernames(server, otherUser), ['planted', otherUser.username].sort());
  assert.ok(!(await usernames(server, admin)).includes('planted'));
});

test('AUTH-25 a username taken by another account is refused with 400 and changes nothing there', async (t) => {
  const { server, plain } = await group(t);
  const otherUser = await server.user({ permissions: ['admin'] });
  const answer = await server.call(create, { key: otherUser.key, body: { username: plain.username } });
  assert.equal(answer.status, 400);
  assert.equal(await works(server, plain.key), true);
  assert.deepEqual(await usernames(server, otherUser), [otherUser.username]);
});

test('AUTH-25 one account’s requests do not count in another account’s usage', async (t) => {
  const { server, admin, plain } = await group(t);
  const otherUser = await server.user();
  assert.equal((await server.call('GET /v1/intel-enrich/', { key: plain.key })).status, 200);
  const today = async ({ key }: TestUser) => {
    const { products } = (await server.call('GET /v1/account/', { key })).json.response;
    return products.find(({ id }: { id: string }) => id === 'intel-enrich').usage.today;
  };
  assert.deepEqual([await today(admin), await today(otherUser)], ['1', '0']);
});
