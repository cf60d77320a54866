import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WireKey } from '../../../../src/http/web/account/key-wire.ts';
import { dayMs } from '../../../../src/model/durations.ts';
import { type TestUser, testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';

const server = await testServer({ after }, { settings: { 'limits.usersPerAccountMax': '5' } });
let names = 0;
const aName = () => `key${(names += 1)}`;

/** The API owner of an account, another administrator of it, and the owner's API user. */
async function anAccount(
  options: Parameters<typeof server.user>[0] = {},
): Promise<{ user: TestUser; owner: WebSession; admin: WebSession }> {
  const user = await server.user({ permissions: ['admin'], ...options });
  const account = user.caller.account.name;
  const owner = await webSession(server, { account, name: user.username, permissions: ['admin'] });
  return { user, owner, admin: await webSession(server, { account, permissions: ['admin'] }) };
}

const listed = async (by: WebSession, username: string): Promise<WireKey> =>
  (await by.call('GET /keys')).json.keys.find((key: WireKey) => key.username === username);

test('AUTH-21 an administrator creates a key that works at once, with what was asked for', async () => {
  const { user, admin } = await anAccount();
  const username = aName();
  const expires = new Date(server.clock.now() + 90 * dayMs).toISOString();
  const body = {
    username,
    permissions: ['triage'],
    expires,
    addresses: ['192.0.2.0/24'],
    products: ['intel-enrich'],
    passive_dns: true,
    channels: [212],
  };
  const { json, status } = await admin.call('POST /keys', { body });
  assert.equal(status, 200);
  const { key, api_key: apiKey, batch_key: batchKey } = json;
  const { created: _, days, ...rest } = key;
  assert.deepEqual(rest, {
    ...body,
    prefix: apiKey.slice(0, 8),
    expired: false,
    passive_dns: 'shared',
    api_owner: false,
    created_by: admin.person.name,
    last_used: null,
    last_refused: null,
  });
  assert.deepEqual([days.length, new Set(days)], [30, new Set([0])]);
  assert.deepEqual(await listed(admin, username), key);
  const from = '192.0.2.9';
  assert.deepEqual(
    [
      (await server.call('GET /v1/intel-enrich/?domain=a.example', { key: apiKey, from })).status,
      (await server.call('GET /v1/intel-enrich/?domain=a.example', { key: apiKey })).status,
      (await server.call('GET /v1/intel-investigate/?domain=a.example', { key: apiKey, from })).status,
      (await server.call('GET /pdns/v2/rate_limit', { key: apiKey, from })).status,
      (await server.call('POST /batchd/v1/validate', { body: { apikey: batchKey }, from })).status,
    ],
    [200, 401, 403, 200, 200],
  );
  const { last_used: used, last_refused: refused, days: after30 } = await listed(admin, username);
  const at = new Date(server.clock.now()).toISOString();
  assert.deepEqual(used, { at, address: from });
  assert.deepEqual(refused, { at, address: '127.0.0.1', why: 'address' });
  assert.equal(after30.at(-1), 4);
  assert.equal((await listed(admin, user.username)).api_owner, true);
});

test('a key without anything said reads, from everywhere, without an end, passive DNS or batch key', async () => {
  const { admin } = await anAccount();
  const { json } = await admin.call('POST /keys', { body: { username: aName() } });
  const { permissions, products, expires, addresses, passive_dns: pdns, channels } = json.key;
  assert.deepEqual(
    [permissions, products, expires, addresses, pdns, channels, json.batch_key],
    [['read'], null, null, [], 'none', null, undefined],
  );
});

test('what the account does not have cannot be given to a key, and each refusal names its field', async () => {
  const { admin } = await anAccount({ pdns: null, channels: [204] });
  const refusals: readonly (readonly [object, string])[] = [
    [{ username: 'two words' }, 'username'],
    [{ username: aName(), permissions: [] }, 'permissions'],
    [{ username: aName(), permissions: ['fly'] }, 'permissions'],
    [{ username: aName(), expires: '2027-01-01' }, 'expires'],
    [{ username: aName(), expires: new Date(server.clock.now()).toISOString() }, 'expires'],
    [{ username: aName(), addresses: ['192.0.2.0/33'] }, 'addresses'],
    [{ username: aName(), addresses: ['office.example'] }, 'addresses'],
    [{ username: aName(), products: ['no-such-product'] }, 'products'],
    [{ username: aName(), passive_dns: true }, 'passive_dns'],
    [{ username: aName(), channels: [212] }, 'channels'],
    [{ username: aName(), channels: 'all' }, 'channels'],
    [{ username: aName(), channels: [0] }, 'channels'],
  ];
  for (const [body, field] of refusals) {
    const { status, json } = await admin.call('POST /keys', { body });
    assert.deepEqual([status, Object.keys(json.error.fields ?? {})], [422, [field]], JSON.stringify(body));
  }
  const withdrawn = await anAccount();
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.accounts.withdraw(withdrawn.admin.account, ['intel-enrich', 'pdns'], author);
  for (const body of [{ products: ['intel-enrich'] }, { passive_dns: true }])
    assert.equal(
      (await withdrawn.admin.call('POST /keys', { body: { username: aName(), ...body } })).status,
      422,
    );
});

test('a name that is taken anywhere is refused alike, and an account has no more users than allowed', async () => {
  const [{ user, admin }, other] = [await anAccount(), await anAccount()];
  const tries = [user.username, other.user.username, other.admin.person.name];
  const answers = [];
  for (const username of tries) answers.push(await admin.call('POST /keys', { body: { username } }));
  assert.deepEqual(new Set(answers.map(({ status, json }) => `${status} ${json.error.message}`)).size, 1);
  const statuses = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push((await admin.call('POST /keys', { body: { username: aName() } })).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 403]);
});

test('a change keeps what it does not mention, null and empty lists remove, and a batch key is shown once', async () => {
  const { admin } = await anAccount();
  const username = aName();
  const { json } = await admin.call('POST /keys', { body: { username, addresses: ['192.0.2.1'] } });
  const change = async (body: object) => (await admin.call(`PATCH /keys/${username}`, { body })).json;
  const batch = await change({ channels: [204], passive_dns: true });
  assert.match(batch.batch_key, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    [batch.key.channels, batch.key.passive_dns, batch.key.addresses, batch.api_key],
    [[204], 'shared', ['192.0.2.1'], undefined],
  );
  const again = await change({ channels: [204, 212], permissions: ['read', 'triage'] });
  assert.deepEqual([again.key.channels, again.batch_key], [[204, 212], undefined]);
  const bare = await change({
    channels: null,
    passive_dns: false,
    addresses: [],
    products: ['intel-enrich'],
  });
  assert.deepEqual(
    [bare.key.channels, bare.key.passive_dns, bare.key.addresses, bare.key.products],
    [null, 'none', [], ['intel-enrich']],
  );
  assert.equal((await change({ products: null, expires: null })).key.products, null);
  assert.equal((await server.call('GET /v1/account/', { key: json.api_key })).status, 200);
  const validate = { body: { apikey: batch.batch_key } };
  assert.equal((await server.call('POST /batchd/v1/validate', validate)).status, 403);
});

test('AUTH-22 the API owner alone resets a key, and must type its username', async () => {
  const { owner, admin } = await anAccount();
  const username = aName();
  const { json } = await admin.call('POST /keys', { body: { username } });
  const reset = (by: WebSession, confirm: string) =>
    by.call(`POST /keys/${username}/reset`, { body: { confirm } });
  const status = async (key: string) => (await server.call('GET /v1/account/', { key })).status;
  assert.equal((await reset(admin, username)).status, 403);
  assert.deepEqual(Object.keys((await reset(owner, 'another')).json.error.fields), ['confirm']);
  assert.equal(await status(json.api_key), 200);
  const { json: fresh } = await reset(owner, username);
  assert.deepEqual([await status(json.api_key), await status(fresh.api_key)], [403, 200]);
  assert.equal((await admin.call('GET /keys')).json.owner, owner.person.name);
});

test('a deleted key is dead at once, and the key of the API owner is managed by the API owner alone', async () => {
  const { user, owner, admin } = await anAccount();
  const username = aName();
  const { json } = await admin.call('POST /keys', { body: { username } });
  assert.equal((await admin.call(`DELETE /keys/${username}`)).status, 204);
  assert.equal((await server.call('GET /v1/account/', { key: json.api_key })).status, 403);
  assert.equal((await admin.call(`DELETE /keys/${username}`)).status, 404);
  const change = { body: { permissions: ['read'] } };
  assert.equal((await admin.call(`PATCH /keys/${user.username}`, change)).status, 403);
  assert.equal((await admin.call(`DELETE /keys/${user.username}`)).status, 403);
  assert.equal((await owner.call(`PATCH /keys/${user.username}`, change)).status, 200);
});

test('AUTH-25 keys of another account cannot be seen, changed, reset or deleted', async () => {
  const [{ owner }, other] = [await anAccount(), await anAccount()];
  const { username } = other.user;
  assert.equal(await listed(owner, username), undefined);
  for (const [route, body] of [
    [`PATCH /keys/${username}`, { permissions: ['read'] }],
    [`POST /keys/${username}/reset`, { confirm: username }],
    [`DELETE /keys/${username}`],
  ] as const)
    assert.equal((await owner.call(route, body ? { body } : {})).status, 404, route);
});

test("testing a key answers what GET /v1/account/ answers from the browser's address, without its cookie", async () => {
  const { user, admin } = await anAccount();
  const tryKey = async (key: string, from?: string) =>
    (await admin.call('POST /keys/test', { body: { api_key: key }, ...(from ? { from } : {}) })).json;
  const right = await tryKey(user.key);
  assert.deepEqual(
    [right.status, JSON.parse(right.body).response.account.api_username],
    [200, user.username],
  );
  assert.equal((await tryKey('ngk_wrong')).status, 403);
  const bound = await server.user({ keyAddresses: ['192.0.2.1'] });
  assert.deepEqual(
    [(await tryKey(bound.key)).status, (await tryKey(bound.key, '192.0.2.1')).status],
    [403, 200],
  );
  for (const key of ['two words', 'line\nbreak', ''])
    assert.equal((await admin.call('POST /keys/test', { body: { api_key: key } })).status, 422);
  assert.doesNotMatch(server.log(), new RegExp(user.key));
});

test('what is done to keys is in the audit log under the name of who did it, without a secret', async () => {
  const { owner, admin } = await anAccount();
  const username = aName();
  const made = await admin.call('POST /keys', { body: { username, channels: [204] } });
  await admin.call(`PATCH /keys/${username}`, { body: { addresses: ['192.0.2.1'] } });
  const reset = await owner.call(`POST /keys/${username}/reset`, { body: { confirm: username } });
  await admin.call(`DELETE /keys/${username}`);
  const { entries } = (await admin.call('GET /audit?limit=4')).json;
  assert.deepEqual(
    entries.map(({ actor, action, username: of }: Record<string, string>) => [actor, action, of]),
    [
      [admin.person.name, 'user.remove', username],
      [owner.person.name, 'key.reset', username],
      [admin.person.name, 'user.update', username],
      [admin.person.name, 'user.create', username],
    ],
  );
  for (const secret of [made.json.api_key, made.json.batch_key, reset.json.api_key])
    assert.ok(!JSON.stringify(entries).includes(secret));
});
