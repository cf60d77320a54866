/** The dry run of a monitor, an operation beyond the contract. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DiscoveryFixture, discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import type { TestServer } from '../../harness/server/test-server.ts';
import { sharedInFile } from '../../harness/test-scope.ts';
import { type DetectFixture, detectFixture, type Json, worldOf } from './detect-fixture.ts';

const route = 'POST /v1/intel-detect/monitors/preview/';
const day = 86_400;

async function preview(world: DetectFixture, body: object): Promise<Json> {
  const answer = await world.call(route, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const namesIn = ({ domains }: Json): string[] => domains.map(({ domain }: Json) => domain);

async function discoverDaily(pipeline: DiscoveryFixture, days: readonly (readonly string[])[]) {
  for (const names of days) {
    await pipeline.append(names);
    await pipeline.discover();
    pipeline.clock.advanceSeconds(day);
  }
}

const serverWithDailyNames = sharedInFile<void, TestServer>(async (scope) => {
  const { server } = await detectFixture(scope);
  const pipeline = discoveryFixture(server);
  await pipeline.write({ domain: 'paypal-three.com', name_server: [{ host: 'ns.own.net' }] });
  await discoverDaily(pipeline, [
    ['paypal-one.com', 'example.com'],
    ['paypa1-two.com', 'paypal-one.com', 'paypal.school.com'],
    ['paypal-three.com', 'paypql.com'],
  ]);
  return server;
});

/** A new account, on the day after the last names. */
async function withDailyNames(): Promise<DetectFixture> {
  const server = await serverWithDailyNames();
  server.clock.reset();
  server.clock.advanceSeconds(3 * day);
  return worldOf(server);
}

test('a dry run returns what a monitor would have found, newest first, with reasons', async () => {
  const world = await withDailyNames();
  const found = await preview(world, { term: 'paypal' });
  assert.deepEqual(namesIn(found), [
    'paypql.com',
    'paypal-three.com',
    'school.com',
    'paypal-one.com',
    'paypa1-two.com',
  ]);
  assert.deepEqual([found.total_count, found.count, found.complete, found.days], [5, 5, true, 90]);
  assert.equal(found.searched_names, 7);
  const [first] = found.domains;
  assert.equal(first.tld, 'com');
  assert.equal(first.first_seen, '2026-03-06');
  assert.equal(first.match.text, 'paypql');
  assert.match(first.match.explanation, /paypql/);
});

test('domains are counted by class, including those not shown', async () => {
  const world = await withDailyNames();
  const found = await preview(world, { term: 'paypal', limit: 1 });
  assert.equal(found.domains.length, 1);
  assert.deepEqual([found.total_count, found.count, found.limit], [5, 1, 1]);
  const counts: number[] = Object.values(found.class_counts);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    5,
  );
});

test('exclusions of terms and name servers are applied', async () => {
  const world = await withDailyNames();
  const exclusions = { text_exclusions: ['school'], nameserver_exclusions: ['*.own.net'] };
  assert.deepEqual(namesIn(await preview(world, { term: 'paypal', ...exclusions })), [
    'paypql.com',
    'paypal-one.com',
    'paypa1-two.com',
  ]);
});

test('own domains are not shown', async () => {
  const world = await withDailyNames();
  await world.server.monitors.changeOwnDomains(world.user.caller.account.id, {
    add: ['paypal-one.com'],
    remove: [],
  });
  const found = await preview(world, { term: 'paypal' });
  assert.ok(!namesIn(found).includes('paypal-one.com'));
});

test('a dry run stores nothing', async () => {
  const world = await withDailyNames();
  await preview(world, { term: 'paypal' });
  assert.deepEqual((await world.call('GET /v1/intel-detect/monitors/')).json.monitors, []);
  assert.deepEqual(await world.names('new'), []);
});

test('names of more than 90 days ago are not searched', async () => {
  const world = await withDailyNames();
  world.server.clock.advanceSeconds(88 * day);
  assert.deepEqual(namesIn(await preview(world, { term: 'paypal' })), [
    'paypql.com',
    'paypal-three.com',
    'school.com',
    'paypal-one.com',
    'paypa1-two.com',
  ]);
  world.server.clock.advanceSeconds(1 * day);
  assert.deepEqual(namesIn(await preview(world, { term: 'paypal' })), ['paypql.com', 'paypal-three.com']);
  world.server.clock.advanceSeconds(1 * day);
  assert.deepEqual(namesIn(await preview(world, { term: 'paypal' })), []);
});

for (const [field, body] of [
  ['term', {}],
  ['term', { term: 'ab' }],
  ['term', { term: 7 }],
  ['match_substring_variations', { term: 'paypal', match_substring_variations: 'yes' }],
  ['text_exclusions', { term: 'paypal', text_exclusions: 'one' }],
  ['nameserver_exclusions', { term: 'paypal', nameserver_exclusions: [7] }],
  ['limit', { term: 'paypal', limit: 101 }],
  ['limit', { term: 'paypal', limit: -1 }],
  ['limit', { term: 'paypal', limit: 'many' }],
] as const) {
  test(`a dry run of ${JSON.stringify(body)} is refused with 400 and names ${field}`, async () => {
    const world = await withDailyNames();
    const answer = await world.call(route, { body });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, new RegExp(field));
  });
}

test('a dry run needs the permission to manage monitors', async () => {
  const world = await withDailyNames();
  const reader = await world.server.user({ permissions: ['read'] });
  const answer = await world.call(route, { by: reader, body: { term: 'paypal' } });
  assert.equal(answer.status, 403);
});

test('concurrent dry runs over the limit are refused with 429, and the others are answered', async () => {
  const world = await withDailyNames();
  const all = await Promise.all(
    Array.from({ length: 8 }, () => world.call(route, { body: { term: 'paypal' } })),
  );
  const statuses = all.map(({ status }) => status);
  assert.ok(statuses.every((status) => status === 200 || status === 429));
  assert.ok(statuses.includes(200));
  assert.equal((await world.call(route, { body: { term: 'paypal' } })).status, 200);
});

async function backTest(world: DetectFixture, body: object): Promise<Json> {
  const answer = await world.call('POST /v1/intel-detect/monitors/back-test/', { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

test('a back-test says what a change would have found in addition and no longer, and what was decided about it', async () => {
  const world = await withDailyNames();
  const monitor = await world.monitor('paypal', { text_exclusions: ['three'] });
  const ignored = await world.discover('paypal-one.com');
  await world.patch([ignored], 'ignored');
  const escalated = await world.discover('paypa1-two.com');
  await world.escalate([escalated], 'blocked');
  const found = await backTest(world, { monitor_id: monitor.id, text_exclusions: ['one', 'two'] });
  assert.deepEqual([found.before_count, found.after_count, found.complete, found.days], [4, 3, true, 90]);
  assert.deepEqual(namesIn(found.appearing), ['paypal-three.com']);
  assert.deepEqual(namesIn(found.disappearing), ['paypal-one.com', 'paypa1-two.com']);
  const { total_count: total, watched, ignored: decided, escalated: blocked } = found.disappearing;
  assert.deepEqual({ total, watched, decided, blocked }, { total: 2, watched: 1, decided: 1, blocked: 1 });
});

test('a back-test of a new monitor lists all it would find, one of a paused monitor all it would miss', async () => {
  const world = await withDailyNames();
  const added = await backTest(world, { term: 'paypal', limit: 2 });
  assert.deepEqual([added.before_count, added.after_count], [0, 5]);
  assert.deepEqual([added.appearing.total_count, added.appearing.domains.length], [5, 2]);
  const monitor = await world.monitor('paypal');
  const paused = await backTest(world, { monitor_id: monitor.id, state: 'inactive' });
  assert.deepEqual([paused.after_count, paused.disappearing.total_count], [0, 5]);
});

for (const [field, body] of [
  ['term', {}],
  ['term', { term: 'ab' }],
  ['state', { term: 'paypal', state: 'asleep' }],
  ['limit', { term: 'paypal', limit: 101 }],
] as const) {
  test(`a back-test of ${JSON.stringify(body)} is refused with 400 and names ${field}`, async () => {
    const world = await withDailyNames();
    const answer = await world.call('POST /v1/intel-detect/monitors/back-test/', { body });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, new RegExp(field));
  });
}

test('a back-test of the monitor of another account is refused with 404', async () => {
  const [world, other] = [await withDailyNames(), await withDailyNames()];
  const monitor = await other.monitor('paypal');
  const answer = await world.call('POST /v1/intel-detect/monitors/back-test/', {
    body: { monitor_id: monitor.id },
  });
  assert.equal(answer.status, 404, answer.text);
});
