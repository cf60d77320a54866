/** Quota and usage, and the audit log. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { dayMs } from '../../../../src/model/durations.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { onEngines } from '../../../harness/server/test-stores.ts';
import { webSession } from '../../../harness/server/web-session.ts';

const server = await testServer({ after });
const enrich = 'GET /v1/intel-enrich/?domain=a.example';

test('usage counts requests by product, day and user, those of people too', async () => {
  const user = await server.user({ permissions: ['admin'] });
  const me = await webSession(server, { account: user.caller.account.name });
  for (let count = 0; count < 3; count += 1) await server.call(enrich, { key: user.key });
  await server.call('GET /v1/account/', { key: user.key });
  await me.call('GET /domains/a.example');
  const { json } = await me.call('GET /usage');
  const product = json.products.find((one: { product: string }) => one.product === 'intel-enrich');
  assert.deepEqual([product.today, product.month, product.days.at(-1)], [4, 4, 4]);
  assert.deepEqual(
    product.limits.map(({ window, used }: { window: string; used: number }) => [window, used]),
    [['minute', 4]],
  );
  assert.deepEqual(
    json.users.map((one: { name: string; days: number[] }) => [one.name, one.days.at(-1)]),
    [
      [user.username, 4],
      [me.person.name, 1],
    ],
  );
  assert.deepEqual(
    json.others.map((one: { name: string; days: number[] }) => [one.name, one.days.at(-1)]),
    [['free', 1]],
  );
  assert.deepEqual([json.days.length, json.days.at(-1)], [30, '2026-03-04']);
  assert.deepEqual((await me.call('GET /usage?days=1')).json.days, ['2026-03-04']);
  assert.equal((await me.call('GET /usage?days=31')).status, 422);
});

test('a limit a month has its reset and a projection from the days before', async () => {
  const user = await server.user();
  const { id, name } = user.caller.account;
  const author = { actor: 'operator', atMs: server.clock.now() };
  await server.accounts.provision(name, [{ product: 'intel-enrich', perMonth: 100 }], author);
  const me = await webSession(server, { account: name });
  for (let day = 1; day <= 2; day += 1)
    for (let count = 0; count < 10; count += 1)
      server.usage.noteUse(
        { accountId: id, username: user.username, item: 'intel-enrich' },
        server.clock.now() - day * dayMs,
      );
  const { products } = (await me.call('GET /usage')).json;
  const { limits, projection } = products.find((one: { product: string }) => one.product === 'intel-enrich');
  assert.deepEqual(limits.at(-1), {
    window: 'month',
    size: 100,
    used: 0,
    resets: '2026-04-01T00:00:00.000Z',
  });
  assert.equal(projection.per_day, 10);
  assert.match(projection.reached, /^2026-03-14T/);
});

test('passive DNS quotas are shown by key, and a key that shares one is not shown twice', async () => {
  const quota = { type: 'time', limit: 5, period: 86_400 } as const;
  const user = await server.user({ pdns: { quota, allowedAddresses: [], apiVersions: [2] } });
  const account = user.caller.account.name;
  const me = await webSession(server, { account, permissions: ['admin'] });
  await me.call('POST /keys', { body: { username: 'shares', passive_dns: true } });
  await server.call('GET /pdns/v2/lookup/rrset/name/a.example', { key: user.key });
  assert.deepEqual((await me.call('GET /usage')).json.passive_dns, [
    {
      username: user.username,
      limit: { window: 'quota', size: 5, used: 1, resets: '2026-03-05T00:00:00.000Z' },
      expires: null,
    },
  ]);
});

test('the audit log has the entries of the account alone, by actor and kind, page by page', async () => {
  const me = await webSession(server, { permissions: ['admin'] });
  await webSession(server, { permissions: ['admin'] });
  for (const name of ['audited1', 'audited2']) await me.call('POST /people', { body: { name } });
  const actionsOf = async (query: string) => {
    const { entries, before } = (await me.call(`GET /audit?${query}`)).json;
    return [entries.map(({ action }: { action: string }) => action), before];
  };
  const [own] = await actionsOf(`actor=${me.person.name}`);
  assert.deepEqual(own, ['sign-in-link.create', 'person.create', 'sign-in-link.create', 'person.create']);
  assert.deepEqual(await actionsOf('kind=account'), [['account.create'], null]);
  const [first, before] = await actionsOf(`kind=person&actor=${me.person.name}&limit=1`);
  assert.deepEqual(first, ['person.create']);
  assert.deepEqual(await actionsOf(`kind=person&actor=${me.person.name}&limit=1&before=${before}`), [
    ['person.create'],
    null,
  ]);
  for (const query of ['limit=0', 'limit=201', 'before=x'])
    assert.equal((await me.call(`GET /audit?${query}`)).status, 422, query);
});

test('sharing an investigation is in the audit log, and a private one is not', async () => {
  const me = await webSession(server, { permissions: ['admin'] });
  const made = await me.call('POST /investigations', { body: { name: 'Secret case' } });
  const shared = async () => (await me.call('GET /audit?kind=investigation')).json.entries;
  assert.deepEqual(await shared(), []);
  const { id, version } = made.json;
  const headers = { 'if-match': `"${version}"` };
  const changed = await me.call(`PATCH /investigations/${id}`, { headers, body: { sharing: 'view' } });
  assert.equal(changed.status, 200);
  const [entry, ...others] = await shared();
  assert.deepEqual(
    [entry.actor, entry.action, JSON.parse(entry.detail), others],
    [me.person.name, 'investigation.share', { investigation: id, before: 'private', after: 'view' }, []],
  );
});

const inFile = onEngines('it changes an entry in a file of the embedded store');

test('the chain of the audit log is whole, until somebody changes an entry in the file', {
  skip: inFile,
}, async () => {
  const me = await webSession(server, { permissions: ['admin'] });
  const { entries } = (await me.call('GET /audit?limit=200')).json;
  const whole = (await me.call('GET /audit/chain')).json;
  assert.deepEqual([whole.checked, whole.broken_at], [entries.length, null]);
  const file = new Sqlite(join(server.directory, 'accounts.db'));
  file.exec("drop trigger audit_is_append_only_update; update audit set actor = 'eve' where number = 2");
  file.close();
  assert.deepEqual((await me.call('GET /audit/chain')).json, whole);
  server.clock.advanceSeconds(60);
  assert.equal((await me.call('GET /audit/chain')).json.broken_at, 2);
});
