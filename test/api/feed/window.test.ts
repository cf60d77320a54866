/** The time window of a poll. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedNames } from '../../../src/model/feed/feed.ts';
import { feedServer, namesOf, sharedFeedServers } from './feed-fixture.ts';

const sharedServer = sharedFeedServers();

/** One name for each second from -4 to 0, across a minute boundary. */
async function secondByName(t: Parameters<typeof feedServer>[0]) {
  const server = await feedServer(t);
  server.clock.set('2026-03-04T10:00:58Z');
  for (const name of ['s58', 's59', 's00', 's01', 's02']) {
    await server.appendNames('nod', name);
    server.clock.advanceSeconds(1);
  }
  server.clock.set('2026-03-04T10:01:02.400Z');
  return server;
}

test('FEED-18 after is inclusive, in seconds ago and as a time', async (t) => {
  const server = await secondByName(t);
  for (const after of ['-3', '2026-03-04T10:00:59Z']) {
    assert.deepEqual(namesOf(await server.poll('nod', `after=${after}`)), ['s59', 's00', 's01', 's02']);
  }
  assert.deepEqual(namesOf(await server.poll('nod', 'after=2026-03-04T10:01:02Z')), ['s02']);
  assert.deepEqual(namesOf(await server.poll('nod', 'after=2026-03-04T10:01:03Z')), []);
});

test('FEED-18 before is inclusive, in seconds ago and as a time', async (t) => {
  const server = await secondByName(t);
  for (const before of ['-2', '2026-03-04T10:01:00Z']) {
    assert.deepEqual(namesOf(await server.poll('nod', `before=${before}`)), ['s58', 's59', 's00']);
  }
  assert.deepEqual(namesOf(await server.poll('nod', 'before=2026-03-04T10:00:58Z')), ['s58']);
  assert.deepEqual(namesOf(await server.poll('nod', 'before=2026-03-04T10:00:57Z')), []);
});

test('FEED-18 after and before together give the window between them, also of one second', async (t) => {
  const server = await secondByName(t);
  assert.deepEqual(namesOf(await server.poll('nod', 'after=-3&before=-1')), ['s59', 's00', 's01']);
  assert.deepEqual(namesOf(await server.poll('nod', 'after=-1&before=-1')), ['s01']);
  assert.deepEqual(namesOf(await server.poll('nod', 'after=-1&before=-2')), []);
});

test('FEED-18 a record written in the minute after its timestamp is in the window of its timestamp', async (t) => {
  const server = await feedServer(t);
  const line = '{"timestamp":"2026-03-04T10:00:59Z","domain":"late.example"}\n';
  const nowMs = Date.parse('2026-03-04T10:01:01Z');
  await server.streams.append([{ stream: 'feed-nod', bytes: Buffer.from(line) }], nowMs);
  const window = (from: string, to: string) =>
    server.poll('nod', `after=2026-03-04T10:${from}Z&before=2026-03-04T10:${to}Z`);
  assert.deepEqual(namesOf(await window('00:00', '00:59')), ['late.example']);
  assert.deepEqual(namesOf(await window('01:00', '01:59')), []);
});

const noTimes = [
  '0',
  '1',
  '60',
  '-0',
  '-432001',
  '-1.5',
  '-',
  '',
  'now',
  '2026-03-04',
  '2026-03-04T10:00:00',
  '2026-03-04T10:00:00+00:00',
  '2026-03-04 10:00:00Z',
  '2026-03-04T10:00:00.5Z',
  '2026-02-30T10:00:00Z',
  '2026-03-04T25:00:00Z',
  '2026-03-04T10:00:60Z',
];

test('FEED-18 any other value for after or before returns 422 and names the field', async () => {
  const server = await sharedServer();
  for (const field of ['after', 'before']) {
    for (const text of noTimes) {
      const answer = await server.poll('nod', `${field}=${encodeURIComponent(text)}`);
      assert.equal(answer.status, 422, `${field}=${text}`);
      assert.deepEqual(Object.keys(answer.json.error), ['code', 'summary', 'messages']);
      assert.deepEqual(Object.keys(answer.json.error.messages), [field]);
    }
  }
});

test('FEED-18 -1 and -432000 are both accepted', async () => {
  const server = await sharedServer();
  for (const seconds of ['-1', '-432000']) {
    assert.equal((await server.poll('nod', `after=${seconds}&before=${seconds}`)).status, 200);
  }
});

test('FEED-19 a record is returned for five days to the second, and then no longer', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'old.example');
  server.clock.advanceSeconds(5 * 86_400);
  await server.appendNames('nod', 'new.example');
  const queries = ['after=-432000', 'after=2026-01-01T00:00:00Z', 'before=-1', 'before=2027-01-01T00:00:00Z'];
  const names = async (query: string) => namesOf(await server.poll('nod', query));
  for (const query of queries) assert.equal((await names(query))[0], 'old.example', query);
  server.clock.advanceSeconds(1);
  for (const query of queries) assert.ok(!(await names(query)).includes('old.example'), query);
});

test('FEED-19 a session whose offset is older than five days continues with the oldest retained record', async () => {
  const server = await sharedServer();
  await server.poll('nod', 'sessionID=s');
  await server.appendNames('nod', 'old.example');
  server.clock.advanceSeconds(86_400);
  await server.appendNames('nod', 'new.example');
  server.clock.advanceSeconds(4.5 * 86_400);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['new.example']);
});

test('FEED-23 a GET with none of sessionID, after and before returns 422, on every feed', async () => {
  const server = await sharedServer();
  for (const feed of feedNames) {
    for (const query of ['', 'top=5', 'app_name=x']) {
      const answer = await server.poll(feed, query);
      assert.equal(answer.status, 422);
      assert.match(answer.json.error.messages.sessionID[0], /sessionID, after and before/);
    }
  }
});

test('FEED-23 a refused request does not count', async (t) => {
  const server = await feedServer(t, {
    settings: { 'limits.feed.queriesPerMinute': '1', 'limits.feed.queriesPerHour': '1' },
  });
  for (const query of ['', 'after=x', 'top=0', 'domain=a*b&after=-60', 'fromBeginning=1']) {
    assert.equal((await server.poll('nod', query)).status, 422, query);
  }
  assert.equal((await server.poll('nod', 'after=-60', { accept: 'image/png' })).status, 406);
  assert.equal((await server.poll('nod', 'after=-60')).status, 200);
  assert.equal((await server.poll('nod', 'after=-60')).status, 429);
});
