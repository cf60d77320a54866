/** Sessions: a client polls with a sessionID of its choice and gets each record once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedNames } from '../../../src/model/feed/feed.ts';
import { pruneFeeds } from '../../../src/product/feed/prune-feeds.ts';
import {
  feedServer,
  ipRecord,
  namesOf,
  recordsOf,
  riskRecord,
  sharedFeedServers,
  withFeeds,
} from './feed-fixture.ts';

const sharedServer = sharedFeedServers();

test('FEED-10 DELETE on each of the nine feeds ends a session of that feed and of no other', async (t) => {
  const server = await feedServer(t);
  for (const feed of feedNames) assert.equal((await server.poll(feed, 'sessionID=s')).status, 200);
  for (const feed of feedNames) {
    assert.equal((await server.remove(feed, 'sessionID=s')).status, 200);
    const others = feedNames.slice(feedNames.indexOf(feed) + 1);
    for (const other of others) {
      const again = await server.poll(other, 'sessionID=s&fromBeginning=true');
      assert.equal(again.status, 406, `${other} after ${feed}`);
    }
  }
});

test('FEED-15 a new session starts with the last hour, inclusive', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'older.example');
  server.clock.advanceSeconds(1);
  await server.appendNames('nod', 'hour.example');
  server.clock.advanceSeconds(3600);
  await server.appendNames('nod', 'now.example');
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['hour.example', 'now.example']);
});

test('FEED-15 a new session with after starts with that window', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(7200);
  await server.appendNames('nod', 'b.example');
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&after=-7200')), ['a.example', 'b.example']);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=t&after=-60')), ['b.example']);
});

test('FEED-16 the next call returns everything since the last, nothing lost and nothing twice', async () => {
  const server = await sharedServer();
  const poll = async () => namesOf(await server.poll('nod', 'sessionID=s'));
  await server.appendNames('nod', 'a.example');
  assert.deepEqual(await poll(), ['a.example']);
  assert.deepEqual(await poll(), []);
  await server.appendNames('nod', 'b.example');
  server.clock.advanceSeconds(2 * 86_400);
  await server.appendNames('nod', 'c.example');
  assert.deepEqual(await poll(), ['b.example', 'c.example']);
  assert.deepEqual(await poll(), []);
});

test('FEED-16 a session that found nothing exists: it continues from there and not with the last hour', async (t) => {
  const server = await feedServer(t);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), []);
  assert.equal((await server.poll('nod', 'sessionID=s&fromBeginning=1')).status, 406);
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(2 * 3600);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['a.example']);
});

test('FEED-16 after has no effect on an existing session', async () => {
  const server = await sharedServer();
  await server.poll('nod', 'sessionID=s');
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(600);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&after=-60')), ['a.example']);
});

test('FEED-16 records excluded by before are returned by the next call', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(10);
  await server.appendNames('nod', 'b.example');
  server.clock.advanceSeconds(5);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&before=-10')), ['a.example']);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&before=-10')), []);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['b.example']);
});

test('FEED-16 records excluded by a filter are skipped for good', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example', 'b.example');
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&domain=b*')), ['b.example']);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), []);
});

test('FEED-16 FEED-26 with top a session continues after the last record returned', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example', 'b.example', 'c.example', 'd.example');
  const poll = async (query: string) => {
    const answer = await server.poll('nod', `sessionID=s&${query}`);
    assert.equal(answer.status, 200);
    return namesOf(answer);
  };
  assert.deepEqual(await poll('top=1'), ['a.example']);
  assert.deepEqual(await poll('top=1&domain=c*'), ['c.example']);
  assert.deepEqual(await poll('top=5'), ['d.example']);
});

test('FEED-16 FEED-26 on the IP feeds a session with top skips the rest', async () => {
  const server = await sharedServer();
  await server.append('iprisk', [
    { ...ipRecord, ip: '192.0.2.1', all_threats_combined_percent: 10 },
    { ...ipRecord, ip: '192.0.2.2', all_threats_combined_percent: 90 },
  ]);
  const ips = async () => recordsOf(await server.poll('iprisk', 'sessionID=s&top=1')).map(({ ip }) => ip);
  assert.deepEqual(await ips(), ['192.0.2.2']);
  assert.deepEqual(await ips(), []);
});

test('FEED-17 the same sessionID on another feed or account is another session', async (t) => {
  const server = await feedServer(t);
  const otherUser = await server.user();
  const colleague = await server.user({ account: server.username });
  await server.appendNames('nod', 'a.example');
  await server.appendNames('nad', 'b.example');
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['a.example']);
  assert.deepEqual(namesOf(await server.poll('nad', 'sessionID=s')), ['b.example']);
  assert.deepEqual(namesOf(await withFeeds(server, otherUser.key, '').poll('nod', 'sessionID=s')), [
    'a.example',
  ]);
  const same = withFeeds(server, colleague.key, '');
  assert.deepEqual(namesOf(await same.poll('nod', 'sessionID=s')), [], 'users of an account share it');
  assert.equal((await withFeeds(server, otherUser.key, '').remove('nod', 'sessionID=s')).status, 200);
  assert.equal((await server.poll('nod', 'sessionID=s&fromBeginning=1')).status, 406, 'still there');
});

test('FEED-17 a sessionID may be any string of 1 to 255 characters, and different ones are different sessions', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example');
  const ids = ['s', 'S', ' s', 's:t', '../s', '%', "s'--", '\u0000', '\n', '日本語', '💡', 'x'.repeat(255)];
  for (const id of ids) {
    const answer = await server.poll('nod', `sessionID=${encodeURIComponent(id)}`);
    assert.deepEqual([answer.status, namesOf(answer)], [200, ['a.example']], JSON.stringify(id));
  }
  for (const id of ['', 'x'.repeat(256)]) {
    const answer = await server.poll('nod', `sessionID=${id}`);
    assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, ['sessionID']]);
  }
});

test('FEED-20 fromBeginning with a new session starts with the oldest retained record', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(4 * 86_400);
  await server.appendNames('nod', 'b.example');
  for (const [id, text] of [
    ['s', 'true'],
    ['t', '1'],
  ]) {
    const answer = await server.poll('nod', `sessionID=${id}&fromBeginning=${text}`);
    assert.deepEqual(namesOf(answer), ['a.example', 'b.example']);
    assert.deepEqual(namesOf(await server.poll('nod', `sessionID=${id}`)), []);
  }
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=u&fromBeginning=false')), ['b.example']);
});

test('FEED-21 fromBeginning with an existing session returns 406 and moves nothing', async (t) => {
  const server = await feedServer(t);
  await server.poll('nod', 'sessionID=s');
  await server.appendNames('nod', 'a.example');
  for (const text of ['true', '1']) {
    const answer = await server.poll('nod', `sessionID=s&fromBeginning=${text}`);
    assert.deepEqual([answer.status, answer.json.error.code], [406, 406]);
  }
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&fromBeginning=false')), ['a.example']);
});

test('FEED-22 fromBeginning without sessionID, or not a boolean, returns 422', async (t) => {
  const server = await feedServer(t);
  for (const query of [
    'after=-60&fromBeginning=true',
    'fromBeginning=true&before=-1',
    'sessionID=s&fromBeginning=yes',
    'sessionID=s&fromBeginning=',
    'sessionID=s&fromBeginning=2',
  ]) {
    const answer = await server.poll('nod', query);
    assert.equal(answer.status, 422, query);
    assert.deepEqual(Object.keys(answer.json.error.messages), ['fromBeginning']);
  }
});

const small = { settings: { 'limits.feed.recordsMax': '3' } };
const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => `${label}.example`);

test('FEED-32 while more is left than a response may hold the status is 206 and the same request continues', async () => {
  const server = await sharedServer(small);
  await server.appendNames('nod', ...many);
  const answers = [];
  for (let number = 0; number < 4; number += 1) answers.push(await server.poll('nod', 'sessionID=s'));
  assert.deepEqual(
    answers.map((answer) => [answer.status, namesOf(answer)]),
    [
      [206, many.slice(0, 3)],
      [206, many.slice(3, 6)],
      [200, many.slice(6)],
      [200, []],
    ],
  );
});

test('FEED-32 exactly as many records as a response may hold, with none left, is 200', async () => {
  const server = await sharedServer(small);
  await server.appendNames('nod', ...many.slice(0, 3));
  const answer = await server.poll('nod', 'sessionID=s');
  assert.deepEqual([answer.status, namesOf(answer).length], [200, 3]);
});

test('FEED-32 only records that match the filters count towards the bound', async () => {
  const server = await sharedServer(small);
  const [odd, even] = [many.map((name) => `odd.${name}`), many.map((name) => `even.${name}`)];
  await server.appendNames('noh', ...odd, ...even.slice(0, 3));
  const exact = await server.poll('noh', 'sessionID=s&domain=even*');
  assert.deepEqual([exact.status, namesOf(exact)], [200, even.slice(0, 3)]);
  const first = await server.poll('noh', 'sessionID=t&domain=odd*');
  const second = await server.poll('noh', 'sessionID=t&domain=odd*');
  const third = await server.poll('noh', 'sessionID=t&domain=odd*');
  assert.deepEqual([first.status, second.status, third.status], [206, 206, 200]);
  assert.deepEqual([...namesOf(first), ...namesOf(second), ...namesOf(third)], odd);
});

test('FEED-32 the bound applies without a session too, and not with a smaller top', async () => {
  const server = await sharedServer(small);
  await server.appendNames('nod', ...many);
  const bounded = await server.poll('nod', 'after=-60');
  assert.deepEqual([bounded.status, namesOf(bounded)], [206, many.slice(0, 3)]);
  const top = await server.poll('nod', 'after=-60&top=2');
  assert.deepEqual([top.status, namesOf(top)], [200, many.toReversed().slice(0, 2)]);
  const more = await server.poll('nod', 'after=-60&top=5');
  assert.deepEqual([more.status, namesOf(more)], [206, many.toReversed().slice(0, 3)]);
});

test('FEED-32 206 without a session says how to go on: with the time of the last record as after, until 200', async () => {
  const server = await sharedServer(small);
  for (const name of many) {
    await server.appendNames('nod', name);
    server.clock.advanceSeconds(1);
  }
  const found = new Set<unknown>();
  let query = `after=-60&before=-1&domain=*.example&api_username=${server.username}&api_key=${server.key}`;
  for (let polls = 0; polls < 9 && query !== ''; polls += 1) {
    const answer = await server.poll('nod', query);
    for (const name of namesOf(answer)) found.add(name);
    const { link, 'x-continue-with': how } = answer.headers;
    assert.equal(answer.status, link === undefined ? 200 : 206);
    const [, next = ''] = /^<\?(.*)>; rel="next"$/.exec(String(link)) ?? [];
    const parameters = new URLSearchParams(next);
    if (next !== '') {
      assert.deepEqual([...parameters.keys()], ['after', 'domain', 'before']);
      assert.equal(how, `after=${parameters.get('after')}, or a sessionID`);
    }
    query = next;
  }
  assert.deepEqual([...found], many);
});

test('FEED-32 206 says to narrow the window or use a session where a later after would not help', async () => {
  const server = await sharedServer(small);
  await server.appendNames('nod', ...many);
  const start = new Date(server.clock.now()).toISOString().replace('.000', '');
  for (const query of [`after=${start}`, `after=${start}&top=5`]) {
    const { status, headers } = await server.poll('nod', query);
    assert.deepEqual(
      [status, headers['x-continue-with'], headers['link']],
      [206, 'a smaller range of after and before, or a sessionID', undefined],
    );
  }
});

test('FEED-32 206 of a session says to repeat the request, and 200 says nothing', async () => {
  const server = await sharedServer(small);
  await server.appendNames('nod', ...many.slice(0, 5));
  const polls = [await server.poll('nod', 'sessionID=s'), await server.poll('nod', 'sessionID=s')];
  assert.deepEqual(
    polls.map(({ status, headers }) => [status, headers['x-continue-with'], headers['link']]),
    [
      [206, 'the same request', undefined],
      [200, undefined, undefined],
    ],
  );
});

test('FEED-26 FEED-32 a top above the bound without a session returns the highest of the whole window', async () => {
  const server = await sharedServer(small);
  const shares = [10, 20, 30, 40, 50];
  await server.append(
    'iprisk',
    shares.map((share) => ({ ...ipRecord, all_threats_combined_percent: share })),
  );
  await server.append(
    'domainrisk',
    shares.map((overall_risk) => ({ ...riskRecord, overall_risk })),
  );
  for (const [feed, member] of [
    ['iprisk', 'all_threats_combined_percent'],
    ['domainrisk', 'overall_risk'],
  ] as const) {
    const answer = await server.poll(feed, 'after=-60&top=100');
    const found = recordsOf(answer).map((record) => record[member]);
    assert.deepEqual([answer.status, found], [206, [50, 40, 30]]);
  }
});

test('FEED-27 FEED-32 in CSV the first of the responses that continue one another has the header, and a new poll has it again', async () => {
  const server = await sharedServer(small);
  await server.appendNames('nod', ...many);
  const csv = { accept: 'text/csv' };
  const poll = async () => {
    const { status, text } = await server.poll('nod', 'sessionID=s&headers=1', csv);
    return [status, text.startsWith('timestamp,domain\r\n'), text.trim().split('\r\n').length];
  };
  assert.deepEqual(
    [await poll(), await poll(), await poll()],
    [
      [206, true, 4],
      [206, false, 3],
      [200, false, 1],
    ],
  );
  await server.appendNames('nod', 'later.example');
  assert.deepEqual(
    [await poll(), await poll()],
    [
      [200, true, 2],
      [200, true, 1],
    ],
  );
});

test('FEED-32 on the IP feeds a larger top sorts what one response may hold', async () => {
  const server = await sharedServer(small);
  await server.append(
    'iprisk',
    [10, 20, 30, 40, 50].map((share) => ({ ...ipRecord, all_threats_combined_percent: share })),
  );
  const poll = async () => {
    const answer = await server.poll('iprisk', 'sessionID=s&top=100');
    return [answer.status, recordsOf(answer).map((record) => record['all_threats_combined_percent'])];
  };
  assert.deepEqual(await poll(), [206, [30, 20, 10]]);
  assert.deepEqual(await poll(), [200, [50, 40]]);
});

test('LIM-15 a call that continues a 206 is not counted, and one after the last response is', async () => {
  const server = await sharedServer({
    settings: { ...small.settings, 'limits.feed.queriesPerMinute': '2', 'limits.feed.queriesPerHour': '120' },
  });
  await server.appendNames('nod', ...many, ...many, ...many);
  const statuses = [];
  for (let number = 0; number < 9; number += 1) {
    statuses.push((await server.poll('nod', 'sessionID=s')).status);
  }
  assert.deepEqual(statuses, [206, 206, 206, 206, 206, 206, 200, 200, 429]);
});

test('LIM-15 only the session that got the 206 may continue for free, and only once', async () => {
  const server = await sharedServer({
    settings: { ...small.settings, 'limits.feed.queriesPerMinute': '1', 'limits.feed.queriesPerHour': '120' },
  });
  await server.appendNames('nod', ...many);
  assert.equal((await server.poll('nod', 'sessionID=s')).status, 206);
  assert.equal((await server.poll('nod', 'sessionID=t')).status, 429);
  assert.equal((await server.poll('nod', 'after=-60')).status, 429);
  assert.equal((await server.remove('nod', 'sessionID=s')).status, 200);
  assert.equal((await server.poll('nod', 'sessionID=s')).status, 429);
});

test('LIM-12 the third GET of a feed within a minute returns 429; DELETE does not count', async () => {
  const server = await sharedServer({
    settings: { 'limits.feed.queriesPerMinute': '2', 'limits.feed.queriesPerHour': '120' },
  });
  const statuses = [];
  for (let number = 0; number < 3; number += 1) {
    statuses.push((await server.poll('nod', `sessionID=${number}`)).status);
    statuses.push((await server.remove('nod', `sessionID=${number}`)).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 429, 404]);
});

test('LIM-13 the 121st GET of a feed within an hour returns 429', async () => {
  const server = await sharedServer({
    settings: { 'limits.feed.queriesPerMinute': '2', 'limits.feed.queriesPerHour': '120' },
  });
  for (let number = 0; number < 120; number += 1) {
    assert.equal((await server.poll('nod', 'sessionID=s')).status, 200);
    server.clock.advanceSeconds(29.9);
    if (number % 2 === 1) server.clock.advanceSeconds(0.2);
  }
  server.clock.advanceSeconds(-10);
  assert.equal((await server.poll('nod', 'sessionID=s')).status, 429);
  server.clock.advanceSeconds(60);
  assert.equal((await server.poll('nod', 'sessionID=s')).status, 200);
});

test('FEED-33 DELETE without sessionID returns 422 and names it', async () => {
  const server = await sharedServer();
  for (const feed of feedNames) {
    for (const query of ['', 'sessionID=']) {
      const answer = await server.remove(feed, query);
      assert.equal(answer.status, 422);
      assert.deepEqual(Object.keys(answer.json.error.messages), ['sessionID']);
    }
  }
});

test('FEED-34 DELETE of a session that does not exist returns 404', async () => {
  const server = await sharedServer();
  for (const feed of feedNames) {
    const answer = await server.remove(feed, 'sessionID=never');
    assert.deepEqual([answer.status, answer.json.error.code], [404, 404]);
  }
});

test('FEED-35 DELETE returns 200 with status deleted, and the same sessionID then starts a new session', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example');
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['a.example']);
  const answer = await server.remove('nod', 'sessionID=s');
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, { response: { status: 'deleted' } });
  assert.equal((await server.remove('nod', 'sessionID=s')).status, 404);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s&fromBeginning=1')), ['a.example']);
});

test('a session idle for longer than the feed’s retention is forgotten, as are the records', async (t) => {
  const server = await feedServer(t);
  await server.appendNames('nod', 'a.example');
  await server.poll('nod', 'sessionID=idle');
  await server.poll('nod', 'sessionID=busy');
  server.clock.advanceSeconds(3 * 86_400);
  await server.poll('nod', 'sessionID=busy');
  await server.appendNames('nod', 'b.example');
  server.clock.advanceSeconds(2 * 86_400 + 7200);
  await pruneFeeds(server, server.clock.now());
  assert.equal((await server.remove('nod', 'sessionID=idle')).status, 404);
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=busy')), ['b.example']);
  const state = await server.streams.findState('feed-nod');
  assert.equal(state?.lines, 1);
});

test('a session whose offset has been pruned continues with the oldest retained record', async () => {
  const server = await sharedServer();
  await server.poll('nod', 'sessionID=s');
  await server.appendNames('nod', 'a.example');
  server.clock.advanceSeconds(3600);
  await server.appendNames('nod', 'b.example');
  await server.streams.pruneSegments('feed-nod', Math.floor(server.clock.now() / 60_000));
  assert.deepEqual(namesOf(await server.poll('nod', 'sessionID=s')), ['b.example']);
});
