import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discover } from '../../harness/fixtures/watch-domains.ts';
import { type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';
import { analyst } from './detect-fixture.ts';

const monitorsPath = '/v1/intel-detect/monitors/';
const listPath = (list: string) => `/v1/intel-detect/domains/${list}/`;

function statusGetter(server: TestServer, { key }: TestUser) {
  return async (path: string, query = '') => (await server.call(`GET ${path}?${query}`, { key })).status;
}

async function usageOf(server: TestServer, product: string, { key }: TestUser) {
  const { products } = (await server.call('GET /v1/account/', { key })).json.response;
  return products.find(({ id }: { id: string }) => id === product).usage.today;
}

const server = await testServer({ after });
/** A user of a fresh account. Resets the clock, so tests must run one after another. */
const fresh = async () => {
  server.clock.set('2026-03-04T10:11:12Z');
  const user = await server.user({ permissions: analyst });
  return { user, get: statusGetter(server, user) };
};

test('LIM-01 LIM-07 the list of monitors is answered once an hour, and paging it is not restricted', async () => {
  const { get } = await fresh();
  assert.equal(await get(monitorsPath), 200);
  assert.equal(await get(monitorsPath), 429);
  assert.equal(await get(monitorsPath, 'sort=created_date'), 429);
  for (const query of ['offset=1', 'offset=1', 'offset=500&limit=5', 'offset=2&order=asc'])
    assert.equal(await get(monitorsPath, query), 200, query);
  server.clock.advanceSeconds(3599.999);
  assert.equal(await get(monitorsPath), 429);
  server.clock.advanceSeconds(0.001);
  assert.equal(await get(monitorsPath), 200);
});

test('LIM-02 POST, PUT and DELETE monitors and own domains have no hourly limit and do not use that of the list', async () => {
  const { user, get } = await fresh();
  const { key } = user;
  for (let number = 0; number < 3; number += 1) {
    const created = await server.call(`POST ${monitorsPath}`, { key, body: { term: 'acme' } });
    const query = `monitor_id=${created.json.monitor.id}`;
    const updated = await server.call(`PUT ${monitorsPath}?${query}`, { key, body: {} });
    const deleted = await server.call(`DELETE ${monitorsPath}?${query}`, { key });
    const own = await server.call('GET /v1/intel-detect/own-domains/', { key });
    assert.deepEqual(
      [created, updated, deleted, own].map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal(await get(monitorsPath), number === 0 ? 200 : 429);
  }
});

test('LIM-03 LIM-04 new and watched are answered once an hour each, counted separately', async () => {
  const { get } = await fresh();
  assert.equal(await get(listPath('new')), 200);
  server.clock.advanceSeconds(600);
  assert.equal(await get(listPath('watched')), 200);
  assert.equal(await get(listPath('new')), 429);
  assert.equal(await get(listPath('watched'), 'offset=0&limit=5'), 429);
  server.clock.advanceSeconds(3000);
  assert.equal(await get(listPath('new')), 200);
  assert.equal(await get(listPath('watched')), 429);
  server.clock.advanceSeconds(600);
  assert.equal(await get(listPath('watched')), 200);
});

test('LIM-05 paging with offset is answered within the hour, does not count, and continues after it', async () => {
  for (const list of ['new', 'watched']) {
    const { user, get } = await fresh();
    const query = 'tlds[]=com&discovered_since=-86400&include_domain_data=false';
    assert.equal(await get(listPath(list), `${query}&offset=0`), 200);
    for (const offset of [50, 100, 50, 99_999])
      assert.equal(await get(listPath(list), `${query}&offset=${offset}`), 200);
    assert.equal(await usageOf(server, `intel-detect-${list}-domains`, user), '1');
    server.clock.advanceSeconds(3601);
    assert.equal(await get(listPath(list), `${query}&offset=100`), 200);
    assert.equal(await get(listPath(list), query), 200);
  }
});

test('LIM-05 credentials, application parameters and equivalent spellings do not make a different query', async () => {
  const { user, get } = await fresh();
  const credentials = `api_username=${user.username}&api_key=${user.key}`;
  assert.equal(await get(listPath('new'), 'limit=100&app_name=x&tlds=com'), 200);
  for (const query of [
    'tlds[]=com&offset=1',
    'offset=2&limit=0&tlds=com&app_name=y&app_version=2',
    `tlds=com&offset=3&${credentials}&include_domain_data=0&order=desc&preview=0`,
  ])
    assert.equal(await get(listPath('new'), query), 200, query);
});

test('LIM-06 an offset with parameters other than those of the last counted query is a new query, subject to the hourly limit', async () => {
  const { get } = await fresh();
  assert.equal(await get(listPath('new'), 'tlds[]=com'), 200);
  for (const query of [
    '',
    'tlds[]=net',
    'tlds[]=com&limit=10',
    'tlds[]=com&order=asc',
    'tlds[]=com&search=a',
  ])
    assert.equal(await get(listPath('new'), `${query}&offset=10`), 429, query);
  assert.equal(await get(listPath('new'), 'tlds[]=com&offset=10'), 200);
  server.clock.advanceSeconds(3600);
  assert.equal(await get(listPath('new'), 'tlds[]=net&offset=10'), 200);
  assert.equal(await get(listPath('new'), 'tlds[]=net&offset=20'), 200);
  assert.equal(await get(listPath('new'), 'tlds[]=com&offset=20'), 429);
});

test('LIM-06 a refused query is not the last counted one', async () => {
  const { get } = await fresh();
  assert.equal(await get(listPath('new'), 'tlds[]=com'), 200);
  assert.equal(await get(listPath('new'), 'tlds[]=net'), 429);
  assert.equal(await get(listPath('new'), 'tlds[]=net&offset=1'), 429);
  assert.equal(await get(listPath('new'), 'tlds[]=com&offset=1'), 200);
});

test('LIM-08 the ignored list has no hourly limit', async () => {
  const { get } = await fresh();
  for (let number = 0; number < 5; number += 1) {
    assert.equal(await get(listPath('ignored')), 200);
    assert.equal(await get(listPath('ignored'), 'offset=5&limit=7'), 200);
  }
});

test('LIM-09 a preview is answered within the hour and does not count as the hourly request', async () => {
  for (const list of ['new', 'watched']) {
    const { get } = await fresh();
    assert.equal(await get(listPath(list), 'preview=1'), 200);
    assert.equal(await get(listPath(list)), 200);
    assert.equal(await get(listPath(list)), 429);
    assert.equal(await get(listPath(list), 'preview=1'), 200);
    assert.equal(await get(listPath(list), 'preview=0'), 429);
  }
});

test('LIM-10 the 31st preview request within a minute, across all lists, is refused until the minute is over', async () => {
  const { get } = await fresh();
  const lists = ['new', 'watched', 'ignored'].map(listPath);
  for (let number = 0; number < 30; number += 1)
    assert.equal(await get(lists[number % 3] as string, 'preview=1'), 200);
  for (const path of lists) assert.equal(await get(path, 'preview=1'), 429);
  assert.equal(await get(listPath('new')), 200);
  server.clock.advanceSeconds(60);
  assert.equal(await get(listPath('new'), 'preview=1'), 200);
});

test('LIM-11 the 31st POST escalations within a minute is refused and records nothing; reads are counted separately', async () => {
  const { user } = await fresh();
  const { key } = user;
  const created = await server.call(`POST ${monitorsPath}`, { key, body: { term: 'acme' } });
  const ids = await discover(server.watchlist, {
    accountId: user.caller.account.id,
    monitorId: created.json.monitor.id,
    domains: Array.from({ length: 31 }, (_, number) => `acme-${number}.example`),
    atMs: server.clock.now(),
  });
  const statuses: number[] = [];
  for (const id of ids.values()) {
    const body = { watchlist_domain_ids: [id], escalation_type: 'blocked' };
    await server.call('GET /v1/intel-detect/escalations/', { key });
    statuses.push((await server.call('POST /v1/intel-detect/escalations/', { key, body })).status);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 200), 429]);
  const listed = await server.call('GET /v1/intel-detect/escalations/', { key });
  assert.equal(listed.json.count, 30);
});

test('LIM-17 a request that is refused for its parameters does not count', async () => {
  const { user, get } = await fresh();
  const wrong = ['limit=101', 'offset=-1', 'discovered_since=5', 'sort=x', 'include_domain_data=1&limit=51'];
  for (const list of ['new', 'watched']) {
    for (const query of wrong) assert.equal(await get(listPath(list), query), 400, query);
    assert.equal(await get(listPath(list), 'monitor_id=AAAAAAAAAA'), 404);
    assert.equal(await get(listPath(list)), 200);
  }
  assert.equal(await get(monitorsPath, 'include_counts=1'), 400);
  assert.equal(await get(monitorsPath), 200);
  const refused = await server.call(`POST ${monitorsPath}`, { key: user.key, body: { term: 'ab' } });
  assert.equal(refused.status, 422);
  assert.equal(await usageOf(server, 'intel-detect-monitors', user), '1');
});

test('LIM-18 of many concurrent requests for a list one is answered, and all of its pages', async () => {
  const { get } = await fresh();
  const lists = await Promise.all(Array.from({ length: 20 }, () => get(listPath('new'))));
  assert.equal(lists.filter((status) => status === 200).length, 1);
  assert.equal(lists.filter((status) => status === 429).length, 19);
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, page) => get(listPath('new'), `offset=${page + 1}`)),
  );
  assert.ok(pages.every((status) => status === 200));
});

test('LIM-16 all users of an account can page one counted query, and another account cannot', async () => {
  const { user, get } = await fresh();
  const colleague = await server.user({ account: user.caller.account.name });
  const otherUser = await fresh();
  assert.equal(await get(listPath('new'), 'tlds=com'), 200);
  assert.equal(await statusGetter(server, colleague)(listPath('new'), 'tlds=com&offset=1'), 200);
  assert.equal(await statusGetter(server, colleague)(listPath('new'), 'tlds=com'), 429);
  assert.equal(await otherUser.get(listPath('new'), 'tlds=com&offset=1'), 200);
  assert.equal(await otherUser.get(listPath('new'), 'tlds=com'), 429);
});

test('LIM-05 LIM-06 the last counted query is shared with other processes and survives a restart', async (t) => {
  const one = await testServer(t);
  const user = await one.user();
  assert.equal(await statusGetter(one, user)(listPath('new'), 'tlds=com'), 200);
  const other = await testServer(t, { directory: one.directory, clock: one.clock });
  assert.equal(await statusGetter(other, user)(listPath('new'), 'tlds=com&offset=1'), 200);
  assert.equal(await statusGetter(other, user)(listPath('new'), 'tlds=net&offset=1'), 429);
  one.clock.advanceSeconds(3600);
  assert.equal(await statusGetter(other, user)(listPath('new'), 'tlds=net&offset=1'), 200);
  assert.equal(await statusGetter(one, user)(listPath('new'), 'tlds=net&offset=2'), 200);
  assert.equal(await statusGetter(one, user)(listPath('new'), 'tlds=com&offset=2'), 429);
});
