/** The formats of a feed response. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { feedNames } from '../../../src/model/feed/feed.ts';
import { feedServer, ipRecord, rdapRecord, riskRecord, sharedFeedServers } from './feed-fixture.ts';

const sharedServer = sharedFeedServers();

const csv = { accept: 'text/csv' };

test('FEED-27 Accept: text/csv gives CSV with the columns in the order of the JSON members', async (t) => {
  const server = await feedServer(t);
  await server.append('domainrisk', [riskRecord, { ...riskRecord, phishing_risk: null }]);
  const answer = await server.poll('domainrisk', 'after=-60', csv);
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(
    answer.text,
    '2026-03-04T10:11:12Z,a.example,10,20,30,40,50\r\n2026-03-04T10:11:12Z,a.example,,20,30,40,50\r\n',
  );
});

test('FEED-27 headers=1 adds a header row, also when there are no records', async () => {
  const server = await sharedServer();
  await server.append('iphotlist', [ipRecord]);
  for (const feed of feedNames.filter((name) => name !== 'domainrdap')) {
    const json = await server.poll(feed, 'after=-60&headers=1');
    const { text } = await server.poll(feed, 'after=-60&headers=1', csv);
    const [header = '', row = ''] = text.split('\r\n');
    assert.match(header, /^timestamp,(domain|ip)/);
    if (json.text === '') assert.equal(text, `${header}\r\n`);
    else {
      const record = JSON.parse(json.text) as Record<string, unknown>;
      assert.equal(header, Object.keys(record).join(','));
      assert.equal(row, Object.values(record).join(','));
    }
    assert.equal((await server.poll(feed, 'after=-60&headers=0', csv)).text.includes('timestamp'), false);
  }
});

test('FEED-27 cells are quoted as in RFC 4180, and text is never a formula', async () => {
  const server = await sharedServer();
  await server.append('iprisk', [
    { ...ipRecord, organization: 'A "B", C\nD', city: '=1+1', longitude: -89.6 },
    { ...ipRecord, organization: '@SUM(A1)', city: '-2', country: null },
  ]);
  const { text } = await server.poll('iprisk', 'after=-60', csv);
  assert.ok(text.includes(`,64500,"A ""B"", C\nD",'=1+1,US,39.8,-89.6,`));
  assert.ok(text.includes(`,64500,'@SUM(A1),'-2,,39.8,-89.6,`));
});

test('FEED-27 headers that is neither 0 nor 1 returns 422', async () => {
  const server = await sharedServer();
  assert.equal((await server.poll('nod', 'after=-60&headers=2', csv)).status, 422);
});

test('FEED-27 a session in CSV continues like any other', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example');
  assert.match((await server.poll('nod', 'sessionID=s', csv)).text, /,a\.example\r\n$/);
  assert.equal((await server.poll('nod', 'sessionID=s', csv)).text, '');
});

test('FEED-28 on domainrdap CSV or headers returns 422', async () => {
  const server = await sharedServer();
  await server.append('domainrdap', [rdapRecord]);
  const asCsv = await server.poll('domainrdap', 'after=-60', csv);
  assert.deepEqual([asCsv.status, Object.keys(asCsv.json.error.messages)], [422, ['Accept']]);
  for (const value of ['1', '0']) {
    const headers = await server.poll('domainrdap', `after=-60&headers=${value}`);
    assert.deepEqual([headers.status, Object.keys(headers.json.error.messages)], [422, ['headers']]);
  }
  assert.equal((await server.poll('domainrdap', 'after=-60')).status, 200);
});

const accepts: readonly (readonly [accept: string, type: string])[] = [
  ['', 'application/x-ndjson'],
  ['*/*', 'application/x-ndjson'],
  ['application/json', 'application/x-ndjson'],
  ['application/*', 'application/x-ndjson'],
  ['text/csv, application/x-ndjson', 'application/x-ndjson'],
  ['text/csv;q=0.4, application/x-ndjson;q=0.5', 'application/x-ndjson'],
  ['text/csv;q=0.5, application/x-ndjson;q=0.4', 'text/csv; charset=utf-8'],
  ['text/csv, */*', 'text/csv; charset=utf-8'],
  ['TEXT/CSV ; charset=utf-8', 'text/csv; charset=utf-8'],
  ['text/*', 'text/csv; charset=utf-8'],
  ['text/csv;q=0, */*', 'application/x-ndjson'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/x-ndjson'],
];

test('FEED-13 FEED-27 Accept selects the format, and NDJSON is the default', async () => {
  const server = await sharedServer();
  for (const [accept, type] of accepts) {
    const answer = await server.poll('nod', 'after=-60', { accept });
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, type], accept);
  }
});

test('an Accept that allows neither format returns 406 with the standard body', async () => {
  const server = await sharedServer();
  for (const accept of ['image/png', 'text/html', '*/*;q=0', 'text/csv;q=0, application/x-ndjson;q=0.0']) {
    const answer = await server.poll('nod', 'after=-60', { accept });
    assert.deepEqual([answer.status, answer.json.error.code], [406, 406], accept);
  }
});

test('a feed is compressed on request, with the same content', async () => {
  const server = await sharedServer();
  await server.appendNames('nod', 'a.example', 'b.example');
  for (const accept of ['text/csv', '*/*']) {
    const plain = await server.poll('nod', 'after=-60', { accept });
    const compressed = await server.poll('nod', 'after=-60', { accept, 'accept-encoding': 'gzip' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(compressed.bytes).toString(), plain.text);
  }
});
