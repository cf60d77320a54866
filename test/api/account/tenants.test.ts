/** What separates accounts on one server: usernames, numbers of users, and everything an account loses when it is withdrawn. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { productIds } from '../../../src/model/product-catalogue.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';
import { append, linkTo, spanOf } from '../batch/batch-fixture.ts';

const create = 'POST /v1/account/keys/';
const operator = { actor: 'operator', atMs: 0 };

async function twoAccounts(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const server = await testServer(t, { settings });
  const admin = await server.user({ username: 'ownerA', permissions: ['admin'] });
  const other = await server.user({ username: 'ownerB', permissions: ['admin'] });
  const createUser = (username: string, by: TestUser = admin) =>
    server.call(create, { key: by.key, body: { username } });
  return { server, admin, other, createUser };
}

test('AUTH-25 a username that cannot be used gets the same answer in every account and in every letter case', async (t) => {
  const { createUser } = await twoAccounts(t);
  assert.equal((await createUser('colleague')).status, 200);
  const answers = [];
  for (const username of ['ownerA', 'ownerB', 'OWNERB', 'colleague', 'COLLEAGUE'])
    answers.push(await createUser(username));
  const [first] = answers;
  assert.equal(first?.status, 400);
  assert.equal(first?.json.error.message, 'username: cannot be used; choose another one');
  for (const { status, text } of answers) assert.deepEqual([status, text], [400, first?.text]);
});

test('AUTH-21 usernames that differ by case alone are not created', async (t) => {
  const { server, admin, createUser } = await twoAccounts(t);
  const statuses = [];
  for (const username of ['CaseUser', 'caseuser', 'CASEUSER'])
    statuses.push((await createUser(username)).status);
  assert.deepEqual(statuses, [200, 400, 400]);
  const users = await server.accounts.listUsers({ accountId: admin.caller.account.id, limit: 9 });
  assert.deepEqual(users.map(({ user }) => user.username).sort(), ['CaseUser', 'ownerA']);
});

test('AUTH-21 an account has at most limits.usersPerAccountMax users, and the error says so', async (t) => {
  const { other, createUser } = await twoAccounts(t, { 'limits.usersPerAccountMax': '3' });
  const statuses = [];
  for (const username of ['one', 'two', 'three']) statuses.push((await createUser(username)).status);
  assert.deepEqual(statuses, [200, 200, 403]);
  const full = await createUser('four');
  assert.match(full.json.error.message, /has 3 users.*limits\.usersPerAccountMax/);
  assert.equal((await createUser('ownerB')).text, full.text, 'a taken name gets the same answer');
  assert.equal((await createUser('elsewhere', other)).status, 200);
});

test('an account has at most 500 users by default', async (t) => {
  const { settings } = await testServer(t);
  assert.equal(settings.limits.usersPerAccountMax, 500);
});

/** The statuses of one request to each API with the keys of a user: platform, archives, passive DNS, batch. */
async function statusesOf(server: TestServer, { key, batchKey }: TestUser): Promise<number[]> {
  const answers = [
    await server.call('GET /v1/intel-enrich/?domain=a.example', { key }),
    await server.call('GET /v1/download/nod/', { key }),
    await server.call('GET /pdns/v2/rate_limit', { key }),
    await server.call('GET /pdns/v2/lookup/rrset/name/a.example', { key }),
    await server.call('POST /batchd/v1/validate', { body: { apikey: batchKey } }),
    await server.call('POST /batchd/v1/batch/chdetails', { body: { apikey: batchKey, channels: [212] } }),
  ];
  return answers.map(({ status }) => status);
}
const everythingOpen = [200, 200, 200, 200, 200, 200];
const everythingClosed = [403, 403, 401, 401, 403, 403];

/** The output of a command that must succeed. */
async function command(server: TestServer, ...args: string[]): Promise<string> {
  const { code, out, err } = await nameglass(['account', ...args], { env: server.environment });
  assert.equal(code, 0, err);
  return out;
}

test('account withdraw all closes every API for every user of the account, and provision all opens them again', async (t) => {
  const { server, admin, other } = await twoAccounts(t);
  const colleague = await server.user({ account: 'ownerA' });
  assert.deepEqual(await statusesOf(server, admin), everythingOpen);
  assert.equal(
    await command(server, 'withdraw', 'ownerA', 'all'),
    'ownerA (active): no products; withdrawn: pdns batch\n',
  );
  for (const user of [admin, colleague]) assert.deepEqual(await statusesOf(server, user), everythingClosed);
  assert.deepEqual(await statusesOf(server, other), everythingOpen);
  assert.equal(await command(server, 'provision', 'ownerA', 'all'), 'ownerA (active): all products\n');
  for (const user of [admin, colleague]) assert.deepEqual(await statusesOf(server, user), everythingOpen);
});

test('withdrawing the last product closes every API, and pdns can be provisioned alone', async (t) => {
  const { server, admin } = await twoAccounts(t);
  await server.accounts.withdraw('ownerA', productIds, operator);
  assert.deepEqual(await statusesOf(server, admin), everythingClosed);
  await command(server, 'provision', 'ownerA', 'pdns');
  assert.deepEqual(await statusesOf(server, admin), [403, 403, 200, 200, 403, 403]);
});

test('pdns and batch are withdrawn by name, and the products stay', async (t) => {
  const { server, admin } = await twoAccounts(t);
  await command(server, 'withdraw', 'ownerA', 'pdns');
  assert.deepEqual(await statusesOf(server, admin), [200, 200, 401, 401, 200, 200]);
  await command(server, 'withdraw', 'ownerA', 'batch');
  assert.deepEqual(await statusesOf(server, admin), [200, 200, 401, 401, 403, 403]);
});

test('BAT-32 a link that was shared before the withdrawal works until it expires', async (t) => {
  const { server, admin } = await twoAccounts(t);
  await append(server, 212, '2026-01-28T12:00:00Z', ['a.example']);
  const link = await linkTo(server, admin.batchKey, spanOf('12:00', '12:01'));
  await server.accounts.withdraw('ownerA', [...productIds, 'batch', 'pdns'], operator);
  assert.equal((await server.call(`GET ${link}`)).status, 200);
});
