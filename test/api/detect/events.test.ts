/** Watchlist events as server-sent events, on real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { logStart } from '../../../src/store/paging/log-position.ts';
import { canaryKey } from '../../harness/artifacts.ts';
import { discover, facts, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { operations } from '../../harness/server/echo-operations.ts';
import { type EventStreamClient, startedStream } from '../../harness/server/event-stream.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { TestServer, TestUser } from '../../harness/server/test-server.ts';
import { openSocket } from '../feed/feed-fixture.ts';

const sharedServer = sharedServers();

interface Watching {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly accountId: string;
  readonly monitorId: string;
  discover(...domains: readonly string[]): Promise<ReadonlyMap<string, string>>;
  follow(query?: string, headers?: Readonly<Record<string, string>>): Promise<EventStreamClient>;
}

async function watching(settings: Record<string, string> = {}): Promise<Watching> {
  const server = await sharedServer({ settings });
  return watchingUser(server, await server.user());
}

async function watchingUser(server: TestServer, user: TestUser): Promise<Watching> {
  const { app, clock, monitors, watchlist } = server;
  const { id: accountId } = user.caller.account;
  const monitorId = await watchTerm(monitors, accountId, clock.now());
  return {
    server,
    user,
    accountId,
    monitorId,
    discover: (...domains) => discover(watchlist, { accountId, monitorId, domains, atMs: clock.now() }),
    follow: async (query = '', headers = {}) => {
      const path = `/v1/intel-detect/events/${query}`;
      return startedStream((await openSocket({ app, key: user.key }, path, headers)).answer);
    },
  };
}

test('every client gets each event as it happens, from the start of its stream', async () => {
  const world = await watching();
  await world.discover('before.example');
  const streams = [await world.follow(), await world.follow()];
  const ids = await world.discover('xn--cme-5cd.example');
  await world.discover('b.example');
  for (const stream of streams) {
    await stream.until(() => stream.events.length === 2);
    assert.deepEqual(stream.names, ['аcme.example', 'b.example']);
    const [first] = stream.events;
    assert.deepEqual(first?.data, {
      id: Number(first?.id),
      event: 'discovered',
      date: '2026-03-04T10:11:12.000Z',
      domain: 'аcme.example',
      punycode: 'xn--cme-5cd.example',
      watchlist_domain_id: ids.get('xn--cme-5cd.example'),
      monitor_ids: [world.monitorId],
    });
    assert.equal(stream.answer.headers['content-type'], 'text/event-stream');
    assert.equal(stream.answer.headers['cache-control'], 'no-store');
  }
});

test('an account gets events of its own watchlist only', async () => {
  const world = await watching();
  const other = await watchingUser(world.server, await world.server.user());
  const [own, theirs] = [await world.follow(), await other.follow()];
  await world.discover('mine.example');
  await other.discover('theirs.example');
  await own.until(() => own.events.length === 1);
  await theirs.until(() => theirs.events.length === 1);
  assert.deepEqual([own.names, theirs.names], [['mine.example'], ['theirs.example']]);
});

test('events[] selects kinds, and skipped events do not delay others', async () => {
  const world = await watching();
  const stream = await world.follow('?events[]=changed&events[]=risk-full');
  const { watchlist, clock } = world.server;
  const ids = [...(await world.discover('acme.top')).values()];
  const by = { username: 'alice', atMs: clock.now() };
  await watchlist.triageDomains(world.accountId, ids, 'watched', by);
  const many = Array.from({ length: 300 }, (_, number) => `acme${number}.example`);
  await world.discover(...many);
  const full = { ...facts, riskScore: 70, riskStatus: 'full' } as const;
  const changed = { atMs: clock.now(), fields: ['ip'] };
  await watchlist.applyRecordChanges(
    [{ domain: 'acme.top', facts: full, changed }],
    { from: logStart, to: '1' },
    clock.now(),
  );
  await stream.until(() => stream.events.length === 2);
  assert.deepEqual(
    stream.events.map(({ data }) => [data['event'], data['changed_fields'] ?? data['risk_score']]),
    [
      ['changed', ['ip']],
      ['risk-full', 70],
    ],
  );
});

test('a stream resumed with Last-Event-ID continues after that event, each event once and in order', async () => {
  const world = await watching();
  const first = await world.follow();
  await world.discover('a.example', 'b.example', 'c.example');
  await first.until(() => first.events.length === 3);
  first.answer.destroy();
  const many = Array.from({ length: 250 }, (_, number) => `acme${number}.example`);
  await world.discover(...many);
  const second = await world.follow('', { 'last-event-id': String(first.events[1]?.id) });
  await world.discover('d.example');
  await second.until(() => second.events.length === 252);
  assert.deepEqual(second.names, ['c.example', ...many, 'd.example']);
});

test('a Last-Event-ID in the future works like the newest one, and 0 returns everything retained', async () => {
  const world = await watching();
  await world.discover('a.example');
  const [future, all] = [
    await world.follow('', { 'last-event-id': '999999999' }),
    await world.follow('', { 'last-event-id': '0' }),
  ];
  await world.discover('b.example');
  await all.until(() => all.events.length === 2);
  await future.until(() => future.events.length === 1);
  assert.deepEqual(future.names, ['b.example']);
});

test('a wrong kind and a wrong Last-Event-ID return 400 and are named', async () => {
  const { server, user } = await watching();
  const openStream = (query: string, headers: Record<string, string> = {}) =>
    server.call(`GET /v1/intel-detect/events/${query}`, { key: user.key, headers });
  const kind = await openStream('?events[]=nothing');
  assert.deepEqual([kind.status, /events/.test(kind.text)], [400, true]);
  for (const id of ['x', '-1', '1e3', ' ', '1'.repeat(16)]) {
    const answer = await openStream('', { 'last-event-id': id });
    assert.deepEqual([answer.status, /Last-Event-ID/.test(answer.text)], [400, true], id);
  }
});

test('a stream ends when its key is reset or bound to another address, its account deactivated, its product revoked', async () => {
  const author = { actor: 'operator', atMs: 0 };
  for (const change of [
    ({ server, user }: Watching) => server.accounts.resetKey(user.username, canaryKey(), author),
    ({ server, user }: Watching) =>
      server.accounts.updateUser(user.username, { keyAddresses: ['192.0.2.1'] }, author),
    ({ server, user }: Watching) =>
      server.accounts.updateUser(user.username, { products: ['intel-enrich'] }, author),
    ({ server, user }: Watching) => server.accounts.setAccountActive(user.username, false, author),
    ({ server, user }: Watching) =>
      server.accounts.withdraw(user.username, ['intel-detect-watched-domains'], author),
  ]) {
    const world = await watching();
    const stream = await world.follow();
    await change(world);
    await stream.until(() => stream.ended);
  }
});

test('a user has at most detect.eventStreamsPerUserMax streams; when one ends the next is accepted', async () => {
  const world = await watching({ 'detect.eventStreamsPerUserMax': '1' });
  const { server, user } = world;
  const stream = await world.follow();
  const refused = await server.call('GET /v1/intel-detect/events/', { key: user.key });
  assert.equal(refused.status, 503);
  await (await watchingUser(server, await server.user())).follow();
  stream.answer.destroy();
  await stream.until(() => server.log().includes('"operation":"getDetectEvents","status":200'));
  await world.follow();
});

test('a stream does not count against the limit of lists, so a disconnected client can reconnect', async () => {
  const world = await watching({ 'limits.detect.watchedDomainsQueriesPerHour': '1' });
  await world.follow();
  await world.follow();
});

test('open streams end when the server closes', async () => {
  const world = await watching();
  const stream = await world.follow();
  const ended = once(stream.answer, 'end');
  await world.server.app.close();
  await ended;
});

test('DOM-50 no operation subscribes to changes or schedules an alert', () => {
  const words = /subscri|webhook|alert|schedul|notif|mail|digest/i;
  const found = Object.entries(operations).filter(([id, { route, summary }]) =>
    words.test(`${id} ${route} ${summary}`),
  );
  assert.deepEqual(found, []);
});
