/** The live tail of a feed, on real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { canaryKey } from '../../harness/artifacts.ts';
import { type EventStreamClient, startedStream } from '../../harness/server/event-stream.ts';
import {
  feedServer as anyFeedServer,
  type FeedServer,
  ipRecord,
  openSocket,
  withFeeds,
} from './feed-fixture.ts';

async function feedServer(t: TestContext, settings: Record<string, string> = {}): Promise<FeedServer> {
  return anyFeedServer(t, { settings });
}

/** Opens a tail and waits until it has started: everything appended from now on is delivered. */
async function tail(
  server: FeedServer,
  query = '',
  headers: Readonly<Record<string, string>> = {},
  feed = 'nod',
): Promise<EventStreamClient> {
  const { answer } = await openSocket(server, `/v1/feed/${feed}/tail/${query}`, headers);
  return startedStream(answer);
}

test('two clients of a tail get each record as it is appended, from the start of the tail, as server-sent events', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'before.example');
  const tails = [await tail(server), await tail(server)];
  await server.appendNames('nod', 'a.example', 'b.example');
  await server.appendNames('nad', 'other.example');
  await server.appendNames('nod', 'c.example');
  for (const each of tails) {
    await each.until(() => each.events.length === 3);
    assert.deepEqual(each.names, ['a.example', 'b.example', 'c.example']);
    assert.equal(each.answer.headers['content-type'], 'text/event-stream');
    assert.equal(each.answer.headers['cache-control'], 'no-store');
    assert.ok(each.text.startsWith(': alive\n\n'));
    assert.deepEqual(each.events[0]?.data, { timestamp: '2026-03-04T10:11:12Z', domain: 'a.example' });
  }
});

test('a tail accepts the filters of its feed', async (t) => {
  const server = await feedServer(t);
  const opened = await tail(server, '?all_threats_combined_percent_min=50', {}, 'iprisk');
  await server.append('iprisk', [
    { ...ipRecord, ip: '192.0.2.1', all_threats_combined_percent: 49 },
    { ...ipRecord, ip: '192.0.2.2' },
  ]);
  await opened.until(() => opened.events.length === 1);
  assert.equal(opened.events[0]?.data['ip'], '192.0.2.2');
});

test('a tail with several domain patterns returns what any of them matches', async (t) => {
  const server = await feedServer(t);
  const opened = await tail(server, '?domain=*.shop&domain=exact.example');
  await server.appendNames('nod', 'a.example', 'a.shop', 'exact.example', 'b.shop', 'z.example');
  await opened.until(() => opened.events.length === 3);
  assert.deepEqual(opened.names, ['a.shop', 'exact.example', 'b.shop']);
});

test('a tail resumed with Last-Event-ID continues after that event, each record once', async (t) => {
  const server = await feedServer(t);
  const first = await tail(server);
  await server.appendNames('nod', 'a.example', 'b.example', 'c.example');
  await first.until(() => first.events.length === 3);
  first.answer.destroy();
  await server.appendNames('nod', 'd.example');
  const id = String(first.events[1]?.id);
  const second = await tail(server, '', { 'last-event-id': id });
  await server.appendNames('nod', 'e.example');
  await second.until(() => second.events.length === 3);
  assert.deepEqual(second.names, ['c.example', 'd.example', 'e.example']);
});

test('a tail with after starts there', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(10);
  await server.appendNames('nod', 'b.example');
  const opened = await tail(server, '?after=-5');
  await server.appendNames('nod', 'c.example');
  await opened.until(() => opened.events.length === 2);
  assert.deepEqual(opened.names, ['b.example', 'c.example']);
});

test('a Last-Event-ID that is not a record boundary returns 422; 0 returns everything retained', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example');
  for (const id of ['1', 'x', '-1', '1e3', '5']) {
    const answer = await server.call('GET /v1/feed/nod/tail/', {
      key: server.key,
      headers: { 'last-event-id': id },
    });
    assert.equal(answer.status, 422, id);
    assert.deepEqual(Object.keys(answer.json.error.messages), ['Last-Event-ID']);
  }
  const opened = await tail(server, '', { 'last-event-id': '0' });
  await opened.until(() => opened.events.length === 1);
});

test('wrong parameters of a tail return 422', async (t) => {
  const server = await feedServer(t);
  for (const query of ['after=x', 'domain=a*b', 'after=-432001']) {
    const answer = await server.call(`GET /v1/feed/nod/tail/?${query}`, { key: server.key });
    assert.equal(answer.status, 422, query);
  }
});

test('a tail ends when its key is reset', async (t) => {
  const server = await feedServer(t);
  const otherUser = withFeeds(server, (await server.user()).key, '');
  const [own, other] = [await tail(server), await tail(otherUser)];
  await server.accounts.resetKey(server.username, canaryKey(), {
    actor: 'operator',
    atMs: 0,
  });
  await own.until(() => own.ended);
  await server.appendNames('nod', 'a.example');
  await other.until(() => other.events.length === 1);
  assert.equal(own.events.length, 0);
  assert.equal(other.ended, false);
});

test('a tail ends when the account is deactivated or the product is revoked', async (t) => {
  const author = { actor: 'operator', atMs: 0 };
  for (const change of [
    (server: FeedServer) => server.accounts.setAccountActive(server.username, false, author),
    (server: FeedServer) =>
      server.accounts.withdraw(server.username, ['newly-observed-domains-feed-(api)'], author),
  ]) {
    const server = await feedServer(t);
    const opened = await tail(server);
    await change(server);
    await opened.until(() => opened.ended);
  }
});

test('a user has at most feeds.tailsPerUserMax tails; when one ends the next is accepted', async (t) => {
  const server = await feedServer(t, { 'feeds.tailsPerUserMax': '2' });
  const opened = [await tail(server), await tail(server)];
  const refused = await server.call('GET /v1/feed/nod/tail/', { key: server.key });
  assert.deepEqual([refused.status, refused.json.error.code], [503, 503]);
  const otherUser = withFeeds(server, (await server.user()).key, '');
  await tail(otherUser);
  opened[0]?.answer.destroy();
  await (opened[1] as EventStreamClient).until(() =>
    server.log().includes('"operation":"getFeedTail","status":200'),
  );
  await tail(server);
});

test('a tail counts once against the limits of its feed', async (t) => {
  const limits = { 'limits.feed.queriesPerMinute': '1', 'limits.feed.queriesPerHour': '1' };
  const server = await feedServer(t, limits);
  await tail(server);
  assert.equal((await server.poll('nod', 'after=-60')).status, 429);
  assert.equal((await server.poll('nad', 'after=-60')).status, 200);
});

test('open tails end when the server closes', async (t) => {
  const server = await feedServer(t);
  const opened = await tail(server);
  const ended = once(opened.answer, 'end');
  await server.app.close();
  await ended;
});

test('a client that does not read its tail does not delay others, and is disconnected', async (t) => {
  const server = await feedServer(t, { 'feeds.stalledSeconds': '1' });
  const slow = (await openSocket(server, '/v1/feed/noh/tail/')).answer;
  await once(slow, 'data');
  slow.pause();
  const fast = await tail(server, '', {}, 'noh');
  const names = Array.from(
    { length: 100_000 },
    (_, number) => `${number}.${'x'.repeat(60)}.${'y'.repeat(60)}`,
  );
  await server.appendNames('noh', ...names);
  await fast.until(() => fast.text.includes(`"${names.at(-1)}"`));
  await fast.until(() => server.log().includes('"operation":"getFeedTail","status":200'));
});
