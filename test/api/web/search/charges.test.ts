/** What a search counts against the limits of Investigate. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';
import { sampleRecords, writeRecords } from './search-fixture.ts';

const perMinute = 40;
const server = await testServer(
  { after },
  {
    settings: {
      'limits.productRequestsPerMinute': String(perMinute),
      'limits.investigate.pageSizeMax': '10',
      'investigate.testDomain': 'free.example',
    },
  },
);
before(() => writeRecords(server, sampleRecords(90, 3)));

/** A person of a new account, and how many requests it has used in the last minute. */
async function newcomer() {
  server.clock.advanceSeconds(61);
  const me = await webSession(server);
  const used = async () =>
    (await me.call('GET /search/count?domain=free.example')).json.limits.used as number;
  return { me, used };
}

const paths = {
  page: '/search?ip=198.51.100.7&sort_by=domain',
  count: '/search/count?ip=198.51.100.7',
  facets: '/search/facets?ip=198.51.100.7&by=registrar',
  moreFacets: '/search/facets?ip=198.51.100.7&by=ip.isp,name_server.host',
};

async function callAll(me: WebSession, order: readonly (keyof typeof paths)[]) {
  for (const name of order) assert.equal((await me.call(`GET ${paths[name]}`)).status, 200, name);
}

for (const order of [
  ['page', 'count', 'facets', 'moreFacets'],
  ['facets', 'moreFacets', 'count', 'page', 'page'],
  ['count', 'count', 'count'],
] as const) {
  test(`${order.join(', ')} of one search within a minute count as one request`, async () => {
    const { me, used } = await newcomer();
    await callAll(me, order);
    assert.equal(await used(), 1);
    server.clock.advanceSeconds(61);
    await callAll(me, order);
    assert.equal(await used(), 1);
  });
}

test('requests for one search at the same time count as one', async () => {
  const { me, used } = await newcomer();
  await Promise.all(Object.values(paths).map((path) => me.call(`GET ${path}`)));
  assert.equal(await used(), 1);
});

test('every further page counts, and so does another order', async () => {
  const { me, used } = await newcomer();
  const { json } = await me.call(`GET ${paths.page}`);
  await me.call(`GET ${paths.page}&position=${json.position}`);
  assert.equal(await used(), 2);
  await me.call(`GET ${paths.page}&sort_direction=dsc`);
  assert.equal(await used(), 3);
});

test('a search with a mistake, the catalogue and hashes count nothing', async () => {
  const { me, used } = await newcomer();
  await me.call('GET /search?ip=nonsense');
  await me.call('GET /search?ql=nonsense');
  await me.call('GET /search/parameters');
  await me.call('GET /search/complete?field=registrar&text=e');
  const { json } = await me.call('POST /search-hash', {
    body: { query: { parameters: { ip: ['198.51.100.7'] } } },
  });
  await me.call(`GET /search-hash/${json.hash}`);
  assert.equal(await used(), 0);
});

test('what a person of one account has counted is counted again for another account', async () => {
  const one = await newcomer();
  await one.me.call(`GET ${paths.count}`);
  const other = await webSession(server);
  await other.call(`GET ${paths.count}`);
  const { json } = await other.call('GET /search/count?domain=free.example');
  assert.equal(json.limits.used, 1);
});

test('a search beyond the limit is refused, and a kept count is still shown', async () => {
  const { me, used } = await newcomer();
  await me.call(`GET ${paths.count}`);
  for (let host = 1; host < perMinute; host += 1) await me.call(`GET /search/count?ip=203.0.113.${host}`);
  assert.equal(await used(), perMinute);
  const refused = await me.call('GET /search?ip=203.0.113.200');
  assert.deepEqual([refused.status, refused.json.error.limit.size], [429, perMinute]);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await me.call(`GET ${paths.count}`)).status, 200);
  server.clock.advanceSeconds(61);
  assert.equal((await me.call('GET /search?ip=203.0.113.200')).status, 200);
});

test('an export counts as many requests as it has pages, and none if the limit does not allow all of them', async () => {
  const { me, used } = await newcomer();
  const whole = '/export?isp_name=velt&as=txt';
  const file = await me.call(`GET ${whole}`);
  const pages = Math.ceil(Number(file.headers['x-export-domains']) / 10);
  assert.ok(pages > 2);
  assert.equal(await used(), pages);
  for (let host = pages; host < perMinute - 1; host += 1)
    await me.call(`GET /search/count?ip=203.0.113.${host}`);
  const refused = await me.call(`GET ${whole}`);
  assert.equal(refused.status, 429);
  assert.match(refused.json.error.message, /1 of 40 per minute are left/);
  assert.equal(await used(), perMinute - 1);
});
