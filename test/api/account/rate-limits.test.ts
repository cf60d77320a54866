import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import type { Permission } from '../../../src/model/account/permission.ts';
import { echoOperations, routeOf, stubOperation } from '../../harness/server/echo-operations.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { type Answer, type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const operations = echoOperations;
const escalating: readonly Permission[] = ['escalate'];
const author = { actor: 'operator', atMs: 0 };

const get = (server: TestServer, id: string, { key }: TestUser) => server.call(routeOf(id), { key });

const escalate = (server: TestServer, { key }: TestUser) =>
  server.call(routeOf('postDetectEscalations'), { key, body: { term: 'example' } });

/** Statuses of sequential calls. */
async function sequentialStatuses(times: number, call: () => Promise<Answer>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let number = 1; number <= times; number += 1) statuses.push((await call()).status);
  return statuses;
}

function assertAnsweredThenRefused(statuses: readonly number[]): void {
  const answered = statuses.slice(0, -1);
  assert.deepEqual(statuses, [...answered.map(() => 200), 429]);
}

async function usageOf(server: TestServer, product: string, { key }: TestUser) {
  const { products } = (await server.call('GET /v1/account/', { key })).json.response;
  return products.find(({ id }: { id: string }) => id === product).usage;
}

function assertStandardBody({ json }: Answer, status: number): void {
  assert.deepEqual(Object.keys(json), ['error', 'resources']);
  assert.equal(json.error.code, status);
  assert.equal(typeof json.error.message, 'string');
}

test('ERR-17 a request over a rate limit returns 429 with the standard body', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const { key } = await server.user();
  assert.equal((await server.call(routeOf('getDetectMonitors'), { key })).status, 200);
  assertStandardBody(await server.call(routeOf('getDetectMonitors'), { key }), 429);
});

test('ERR-18 Retry-After is the number of whole seconds to wait: a request just before that is refused, one after it is accepted', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const { key } = await server.user();
  const route = routeOf('getDetectMonitors');
  await server.call(route, { key });
  server.clock.advanceSeconds(599.5);
  const refused = await server.call(route, { key });
  assert.equal(refused.headers['retry-after'], '3001');
  server.clock.advanceSeconds(3000);
  assert.equal((await server.call(route, { key })).headers['retry-after'], '1');
  server.clock.advanceSeconds(1);
  assert.equal((await server.call(route, { key })).status, 200);
});

test('ERR-18 when two limits refuse a request, one sent after Retry-After is accepted by both', async () => {
  const settings = { 'limits.feed.queriesPerMinute': '2', 'limits.feed.queriesPerHour': '3' };
  const server = await sharedServer({ operations: echoOperations, settings });
  const { key } = await server.user();
  const poll = () => server.call(routeOf('getNOD'), { key });
  for (const seconds of [30, 31, 1]) {
    assert.equal((await poll()).status, 200);
    server.clock.advanceSeconds(seconds);
  }
  const refused = await poll();
  assert.equal(refused.status, 429);
  server.clock.advanceSeconds(Number(refused.headers['retry-after']));
  assert.equal((await poll()).status, 200, `refused again after ${refused.headers['retry-after']} seconds`);
});

for (const [route, times, limit] of [
  ['POST /v1/iris-detect/escalations/', 30, '(30/min)'],
  ['POST /vendor/v1/iris-detect/escalations/', 30, '(30/min)'],
  ['GET /vendor/v1/feed/nod/', 2, '(2/min)'],
  ['GET /v1/iris-detect/monitors/', 1, '(1/hour)'],
] as const) {
  test(`ERR-19 with the compatibility profile on, ${route} over its limit returns 503 and names ${limit}`, async () => {
    const server = await sharedServer({
      operations: echoOperations,
      settings: { 'compat.profile': 'vendor' },
    });
    const { key } = await server.user({ permissions: escalating });
    const options = { key, ...(route.startsWith('POST') ? { body: { term: 'example' } } : {}) };
    for (let number = 1; number <= times; number += 1) {
      assert.equal((await server.call(route, options)).status, 200);
    }
    const refused = await server.call(route, options);
    assertStandardBody(refused, 503);
    assert.ok(refused.json.error.message.includes(limit), refused.json.error.message);
    const neutral = route.replace('/vendor', '').replace('iris', 'intel');
    assert.equal((await server.call(neutral, options)).status, 429);
  });
}

test('LIM-01 a second GET of the monitors list within an hour returns 429; after 3600 seconds it is answered', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user();
  assert.equal((await get(server, 'getDetectMonitors', user)).status, 200);
  const refused = await get(server, 'getDetectMonitors', user);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '3600');
  server.clock.advanceSeconds(3599.999);
  assert.equal((await get(server, 'getDetectMonitors', user)).status, 429);
  server.clock.advanceSeconds(0.001);
  assert.equal((await get(server, 'getDetectMonitors', user)).status, 200);
});

test('LIM-01 the hourly limit survives a restart: a new server process still refuses', async (t) => {
  const before = await testServer(t, { operations });
  const user = await before.user();
  assert.equal((await get(before, 'getDetectMonitors', user)).status, 200);
  before.clock.advanceSeconds(1000);
  await before.app.close();
  await before.closeStores();

  const after = await testServer(t, { operations, directory: before.directory, clock: before.clock });
  const refused = await get(after, 'getDetectMonitors', user);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '2600');
  assert.deepEqual(await usageOf(after, 'intel-detect-monitors', user), { today: '1', month: '1' });
  after.clock.advanceSeconds(2600);
  assert.equal((await get(after, 'getDetectMonitors', user)).status, 200);
});

test('LIM-11 the 31st POST escalations within a minute returns 429 and records nothing', async () => {
  let recorded = 0;
  const recording = stubOperation('postDetectEscalations', {
    handle: async () => {
      recorded += 1;
      return {};
    },
  });
  const server = await sharedServer({ operations: [recording] });
  const user = await server.user({ permissions: escalating });
  assertAnsweredThenRefused(await sequentialStatuses(31, () => escalate(server, user)));
  assert.equal(recorded, 30);
  assert.deepEqual(await usageOf(server, 'intel-detect-escalate-domains', user), {
    today: '30',
    month: '30',
  });
  server.clock.advanceSeconds(60);
  assert.equal((await escalate(server, user)).status, 200);
  assert.equal(recorded, 31);
});

test('LIM-11 the window is sliding: 30 requests across a minute boundary leave no room for another 30', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user({ permissions: escalating });
  server.clock.set('2026-03-04T10:11:59Z');
  assert.deepEqual(new Set(await sequentialStatuses(30, () => escalate(server, user))), new Set([200]));
  server.clock.set('2026-03-04T10:12:01Z');
  assert.equal((await escalate(server, user)).headers['retry-after'], '58');
  server.clock.set('2026-03-04T10:12:59Z');
  assert.equal((await escalate(server, user)).status, 200);
});

test('LIM-12 the third GET of a feed within a minute returns 429', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user();
  assert.equal((await get(server, 'getNOD', user)).status, 200);
  server.clock.advanceSeconds(20);
  assertAnsweredThenRefused(await sequentialStatuses(2, () => get(server, 'getNOD', user)));
  assert.equal((await get(server, 'getNOD', user)).headers['retry-after'], '40');
  server.clock.advanceSeconds(40);
  assertAnsweredThenRefused(await sequentialStatuses(2, () => get(server, 'getNOD', user)));
});

test('LIM-13 the 121st GET of a feed within an hour returns 429', async () => {
  const server = await sharedServer({ operations, settings: { 'limits.feed.queriesPerMinute': '1000' } });
  const user = await server.user();
  assertAnsweredThenRefused(await sequentialStatuses(121, () => get(server, 'getNOD', user)));
  server.clock.advanceSeconds(3599);
  assert.equal((await get(server, 'getNOD', user)).headers['retry-after'], '1');
  server.clock.advanceSeconds(1);
  assert.equal((await get(server, 'getNOD', user)).status, 200);
});

test('LIM-13 two GETs of a feed in every minute of an hour are all answered', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user();
  for (let minute = 0; minute < 90; minute += 1) {
    assertAnsweredThenRefused(await sequentialStatuses(3, () => get(server, 'getNOD', user)));
    server.clock.advanceSeconds(60);
  }
});

test('LIM-14 each feed has its own counter', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user();
  assertAnsweredThenRefused(await sequentialStatuses(3, () => get(server, 'getNOD', user)));
  for (const id of ['getNAD', 'getNOH', 'getDomainRisk', 'getIPRisk'] as const) {
    assertAnsweredThenRefused(await sequentialStatuses(3, () => get(server, id, user)));
  }
});

test('LIM-16 the users of one account share its limits', async () => {
  const server = await sharedServer({ operations });
  const first = await server.user({ account: 'shared' });
  const second = await server.user({ account: 'shared' });
  assert.equal((await get(server, 'getNOD', first)).status, 200);
  assert.equal((await get(server, 'getNOD', second)).status, 200);
  assert.equal((await get(server, 'getNOD', first)).status, 429);
  assert.equal((await get(server, 'getNOD', second)).status, 429);
});

test('LIM-16 another account is not affected', async () => {
  const server = await sharedServer({ operations });
  const [busy, idle] = [await server.user(), await server.user()];
  assertAnsweredThenRefused(await sequentialStatuses(3, () => get(server, 'getNOD', busy)));
  assertAnsweredThenRefused(await sequentialStatuses(3, () => get(server, 'getNOD', idle)));
});

test('LIM-17 requests refused for credentials, permissions or parameters do not count', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user({ permissions: escalating });
  const route = routeOf('postDetectEscalations');
  const sibling = await server.user({ account: user.caller.account.name, permissions: ['read'] });
  const json = { 'content-type': 'application/json' };
  for (let number = 1; number <= 31; number += 1) {
    assert.equal((await server.call(route, { body: { term: 'example' } })).status, 401);
    assert.equal((await server.call(route, { key: 'wrong-key', body: { term: 'example' } })).status, 401);
    assert.equal((await escalate(server, sibling)).status, 403);
    assert.equal((await server.call(route, { key: user.key, body: {} })).status, 422);
    assert.equal((await server.call(route, { key: user.key, headers: json, body: '{' })).status, 400);
  }
  assert.deepEqual(await usageOf(server, 'intel-detect-escalate-domains', user), { today: '0', month: '0' });
  assertAnsweredThenRefused(await sequentialStatuses(31, () => escalate(server, user)));
});

test('LIM-17 a request over the limit does not count: it changes neither usage nor Retry-After', async () => {
  const server = await sharedServer({ operations });
  const user = await server.user();
  await sequentialStatuses(2, () => get(server, 'getNOD', user));
  server.clock.advanceSeconds(59);
  assert.deepEqual(await sequentialStatuses(5, () => get(server, 'getNOD', user)), [429, 429, 429, 429, 429]);
  const usage = await usageOf(server, 'newly-observed-domains-feed-(api)', user);
  assert.deepEqual(usage, { today: '2', month: '2' });
  server.clock.advanceSeconds(1);
  assert.equal((await get(server, 'getNOD', user)).status, 200);
});

test('LIM-18 of many concurrent requests to two servers of one installation exactly as many as the limit allows are answered', async (t) => {
  const one = await testServer(t, { operations });
  const other = await testServer(t, { operations, directory: one.directory, clock: one.clock });
  const user = await one.user({ permissions: escalating });
  const calls = Array.from({ length: 100 }, (_, index) => escalate(index % 2 ? one : other, user));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 30);
  assert.equal(statuses.filter((status) => status === 429).length, 70);
  assert.deepEqual(await usageOf(other, 'intel-detect-escalate-domains', user), { today: '30', month: '30' });
});

/** The Limits tables of the contract, number by number. */
const contractNumbers: readonly (readonly [key: string, number: number])[] = [
  ['limits.detect.monitorsQueriesPerHour', 1],
  ['limits.detect.newDomainsQueriesPerHour', 1],
  ['limits.detect.watchedDomainsQueriesPerHour', 1],
  ['limits.detect.previewDomainsMax', 10],
  ['limits.detect.previewRequestsPerMinute', 30],
  ['limits.detect.escalationBlockedDomainsMax', 100],
  ['limits.detect.escalationExternalSafeDomainsMax', 10],
  ['limits.detect.escalationsPerMinute', 30],
  ['limits.detect.offsetMax', 100_000],
  ['limits.detect.domainsLimitMax', 100],
  ['limits.detect.domainsLimitWithDataMax', 50],
  ['limits.detect.monitorsLimitMax', 500],
  ['limits.detect.monitorsLimitWithCountsMax', 100],
  ['limits.investigate.domainsMax', 100],
  ['limits.investigate.matchesMax', 10_000],
  ['limits.investigate.pageSizeMax', 500],
  ['limits.investigate.guidedPivotDomainsMax', 500],
  ['limits.feed.queriesPerMinute', 2],
  ['limits.feed.queriesPerHour', 120],
  ['limits.assistant.requestsPerSecond', 10],
  ['limits.assistant.burstRequests', 20],
  ['batch.channelMax', 255],
];

test('LIM-19 every number of the Limits tables is a configuration key with that default', () => {
  const { effective } = readConfig({ environment: {}, flags: {} });
  const defaults = new Map(effective.map(({ key, value }) => [key, value]));
  for (const [key, number] of contractNumbers) assert.deepEqual([key, defaults.get(key)], [key, number]);
  const retentionHours = Number(defaults.get('batch.retentionHours'));
  assert.ok(retentionHours >= 12 && retentionHours <= 18);
});

test('LIM-19 a changed number is the one that is advertised and enforced', async () => {
  const settings = { 'limits.feed.queriesPerMinute': '5', 'limits.detect.monitorsQueriesPerHour': '3' };
  const server = await sharedServer({ operations, settings });
  const user = await server.user();
  assertAnsweredThenRefused(await sequentialStatuses(6, () => get(server, 'getNOD', user)));
  assertAnsweredThenRefused(await sequentialStatuses(4, () => get(server, 'getDetectMonitors', user)));
  const { products } = (await server.call('GET /v1/account/', { key: user.key })).json.response;
  const monitors = products.find(({ id }: { id: string }) => id === 'intel-detect-monitors');
  assert.equal(monitors.per_hour_limit, '3');
});

for (const [product, ids] of [
  ['intel-enrich', ['getIntelEnrich', 'postIntelEnrich']],
  ['intel-investigate', ['getIntelInvestigate', 'postIntelInvestigate']],
] as const) {
  test(`LIM-20 by default ${product} is limited to 600 requests per minute, GET and POST together, with no monthly limit`, async () => {
    const server = await sharedServer({ operations });
    const user = await server.user();
    let number = 0;
    const either = () => get(server, ids[++number % 2] as string, user);
    assertAnsweredThenRefused(await sequentialStatuses(601, either));
    server.clock.advanceSeconds(60);
    assertAnsweredThenRefused(await sequentialStatuses(601, either));
    assert.deepEqual(await usageOf(server, product, user), { today: '1200', month: '1200' });
  });
}

test('LIM-20 limits set for the account replace the defaults: 3 per month, until the first of the next month', async () => {
  const server = await sharedServer({ operations });
  const [bound, free] = [await server.user(), await server.user()];
  await server.accounts.provision(bound.username, [{ product: 'intel-enrich', perMonth: 3 }], author);
  server.clock.set('2026-03-31T23:00:00Z');
  assertAnsweredThenRefused(await sequentialStatuses(4, () => get(server, 'getIntelEnrich', bound)));
  assert.equal((await get(server, 'getIntelEnrich', bound)).headers['retry-after'], '3600');
  assert.equal((await get(server, 'getIntelInvestigate', bound)).status, 200);
  assert.deepEqual(
    await sequentialStatuses(4, () => get(server, 'getIntelEnrich', free)),
    [200, 200, 200, 200],
  );
  server.clock.set('2026-04-01T00:00:00Z');
  assert.equal((await get(server, 'getIntelEnrich', bound)).status, 200);
});
