/** Selections of blocklists and the allow list, over the platform API. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { testServer } from '../../harness/server/test-server.ts';

const server = await testServer({ after });
const selectionsPath = '/v1/intel-detect/blocklists/selections/';
const allowedPath = '/v1/intel-detect/blocklists/allowed/';

async function account() {
  const user = await server.user({ permissions: ['read', 'manage'] });
  const { id: accountId } = user.caller.account;
  const atMs = server.clock.now();
  const monitorId = await watchTerm(server.monitors, accountId, atMs);
  const find = (...domains: string[]) => discover(server.watchlist, { accountId, monitorId, domains, atMs });
  return {
    ...user,
    accountId,
    monitorId,
    find,
    block: async (...domains: string[]) => {
      const ids = await find(...domains);
      const chosen = domains.map((domain) => ids.get(domain) as string);
      const by = { username: 'alice', atMs };
      await server.escalations.escalateDomains(accountId, chosen, 'blocked', by);
    },
    call: (route: string, body?: object) => server.call(route, { key: user.key, ...(body ? { body } : {}) }),
    /** The plain list of a selection. */
    list: async (selection: string) => {
      const path = `/v1/intel-detect/blocklists/?selection=${selection}`;
      const { json } = await server.call(`GET ${path}`, { key: user.key });
      const { url } = (json as { blocklists: { format: string; url: string }[] }).blocklists.find(
        ({ format }) => format === 'plain',
      ) ?? { url: '' };
      const { pathname, search } = new URL(url);
      return (await server.call(`GET ${pathname}${search}`)).text.split('\n').slice(0, -1);
    },
  };
}

test('a new account has the list of blocked domains alone', async () => {
  const me = await account();
  await me.block('acme.top');
  const { json } = await me.call(`GET ${selectionsPath}`);
  const [only] = (json as { selections: Record<string, unknown>[] }).selections;
  assert.deepEqual(
    [
      (json as { count: number }).count,
      only?.['name'],
      only?.['blocked'],
      only?.['domains'],
      only?.['left_out'],
    ],
    [1, 'blocked', true, 1, 0],
  );
  assert.equal(only?.['serial'], server.clock.now() / 1000);
});

test('a list is made of new domains above a score, of tags and of monitors, and follows each of them', async () => {
  const me = await account();
  await me.find('acme-a.example', 'acme-b.example', 'acme-c.example');
  const facts = { active: true, mxExists: false, nameServers: [], riskScore: 91 };
  const more = { riskStatus: undefined, riskComponents: undefined };
  const from = await server.watchlist.recordChangesCheckpoint();
  const change = { domain: 'acme-a.example', facts: { ...facts, ...more }, changed: undefined };
  await server.watchlist.applyRecordChanges(
    [change],
    { from, to: String(Number(from) + 1) },
    server.clock.now(),
  );
  const record = { record: { domain: 'acme-b.example' }, source: 'test', seenMs: server.clock.now() };
  await server.domains.upsert([record]);
  const members = { name: 'mixed', new_score_min: 90, tags: ['Phish'], monitor_ids: [me.monitorId] };
  const made = await me.call(`PUT ${selectionsPath}`, members);
  assert.equal(made.status, 200, made.text);
  const { selection } = made.json as { selection: Record<string, unknown> };
  const { serial, ...rest } = selection;
  assert.ok(Number(serial) > 0);
  assert.deepEqual(rest, {
    name: 'mixed',
    blocked: false,
    new_score_min: 90,
    tags: ['Phish'],
    monitor_ids: [me.monitorId],
    zone: rest['zone'],
    domains: 1,
    left_out: 0,
    created_by: me.username,
    created_date: rest['created_date'],
  });
  assert.deepEqual(await me.list('mixed'), ['acme-a.example']);
  const { account: ofUser, user } = me.caller;
  const by = { accountId: ofUser.id, userId: user.id, username: user.username, atMs: server.clock.now() };
  await server.domains.changeTags(
    ['acme-b.example'],
    { add: ['phish'], remove: [] },
    { ...by, scope: 'team' },
  );
  assert.deepEqual(await me.list('mixed'), ['acme-a.example', 'acme-b.example']);
  await server.domains.changeTags(
    ['acme-b.example'],
    { add: [], remove: ['phish'] },
    { ...by, scope: 'team' },
  );
  assert.deepEqual(await me.list('mixed'), ['acme-a.example']);
});

test('wrong rules and names of lists are refused, and the field is named', async () => {
  const me = await account();
  for (const [body, field] of [
    [{ name: 'Big', blocked: true }, 'name'],
    [{ name: '-a', blocked: true }, 'name'],
    [{ name: 'blocked', blocked: true }, 'name'],
    [{ name: 'none' }, 'blocked'],
    [{ name: 'high', new_score_min: 101 }, 'new_score_min'],
    [{ name: 'far', blocked: true, monitor_ids: ['0123456789'] }, 'monitor_ids'],
  ] as const) {
    const { status, text } = await me.call(`PUT ${selectionsPath}`, body);
    assert.equal(status, 400, text);
    assert.match(text, new RegExp(`\\b${field}\\b`));
  }
});

test('a deleted list and an unknown one are not found, and its links stop working', async () => {
  const me = await account();
  await me.call(`PUT ${selectionsPath}`, { name: 'short-lived', blocked: true });
  const { json } = await me.call('GET /v1/intel-detect/blocklists/?selection=short-lived');
  const { url } = (json as { blocklists: { url: string }[] }).blocklists[0] ?? { url: '' };
  const path = new URL(url).pathname + new URL(url).search;
  assert.equal((await server.call(`GET ${path}`)).status, 200);
  const deleted = await me.call(`DELETE ${selectionsPath}?name=short-lived`);
  assert.deepEqual([deleted.status, (deleted.json as { count: number }).count], [200, 1]);
  assert.equal((await me.call(`DELETE ${selectionsPath}?name=short-lived`)).status, 404);
  assert.equal((await me.call('GET /v1/intel-detect/blocklists/?selection=short-lived')).status, 404);
  assert.equal((await server.call(`GET ${path}`)).status, 404);
  assert.equal((await me.call(`DELETE ${selectionsPath}?name=blocked`)).status, 400);
});

test('an allowed domain leaves every list at once, and comes back when it is no longer allowed', async () => {
  const me = await account();
  await me.block('acme.top', 'login.acme.top', 'acme.shop');
  assert.equal((await me.list('blocked')).length, 3);
  const { status, json } = await me.call(`POST ${allowedPath}`, { add: ['ACME.top', 'bücher.example'] });
  assert.equal(status, 200);
  const allowed = (json as { allowed: { domain: string; added_by: string }[] }).allowed;
  assert.deepEqual(
    allowed.map(({ domain, added_by }) => [domain, added_by]),
    [
      ['acme.top', me.username],
      ['bücher.example', me.username],
    ],
  );
  assert.deepEqual(await me.list('blocked'), ['acme.shop']);
  await me.call(`POST ${allowedPath}`, { remove: 'acme.top' });
  assert.deepEqual(await me.list('blocked'), ['acme.shop', 'acme.top', 'login.acme.top']);
});

test('what cannot be allowed is refused', async () => {
  const me = await account();
  for (const body of [{}, { add: ['not a name'] }, { add: ['a.example'], remove: ['A.example'] }])
    assert.equal((await me.call(`POST ${allowedPath}`, body)).status, 400);
});

test('changes of lists and of the allow list are in the audit log, with who made them', async () => {
  const me = await account();
  await me.call(`PUT ${selectionsPath}`, { name: 'audited', blocked: true });
  await me.call(`POST ${allowedPath}`, { add: ['acme.top'] });
  await me.call(`POST ${allowedPath}`, { add: ['acme.top'] });
  await me.call(`DELETE ${selectionsPath}?name=audited`);
  const entries = await server.accounts.listAudit({
    account: me.caller.account.name,
    kind: 'blocklist',
    limit: 9,
  });
  assert.deepEqual(
    entries.map(({ action, actor }) => [action, actor]),
    [
      ['blocklist.delete', me.username],
      ['blocklist.allow', me.username],
      ['blocklist.select', me.username],
    ],
  );
  assert.deepEqual(entries[1]?.detail, { added: 1, removed: 0, add: ['acme.top'], remove: [] });
});

test('a reader sees lists and allowed domains, and changes neither', async () => {
  const { key } = await server.user();
  assert.equal((await server.call(`GET ${selectionsPath}`, { key })).status, 200);
  assert.equal((await server.call(`GET ${allowedPath}`, { key })).status, 200);
  for (const route of [`PUT ${selectionsPath}`, `DELETE ${selectionsPath}?name=x`, `POST ${allowedPath}`])
    assert.equal((await server.call(route, { key })).status, 403);
});
