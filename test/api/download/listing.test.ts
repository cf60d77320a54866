import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type FeedName, feedProducts } from '../../../src/model/product-catalogue.ts';
import { testProxy } from '../../harness/server/client-address.ts';
import { withoutLimits } from '../../harness/server/every-operation.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { testServer } from '../../harness/server/test-server.ts';
import {
  archivedServer,
  filesOf,
  type ListedFile,
  makeArchives,
  pathOf,
  publish,
  record,
  sharedArchivedServers,
} from './archive-fixture.ts';

const sharedServer = sharedArchivedServers();

const hours = [
  'nod/2026-02-20/nod-20260220.0000-0100.json.gz',
  'nod/2026-02-19/nod-20260219.2300-2400.json.gz',
  'nod/2026-02-19/nod-20260219.2200-2300.json.gz',
];
const allNames = hours.flatMap((name) => [name, `${name}.sha256`]);
const names = (files: readonly ListedFile[]) => files.map(({ name }) => name);
const dailyNames = ['domain_discovery', 'domain_hotlist', 'domain_risk', 'ip_hotlist', 'ip_risk'].map(
  (kind) => `daily_${kind}`,
);

test('DL-01 a download request returns 200 with the name and the files', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  const answer = await server.call('GET /v1/download/nod/', { key });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/json;charset=utf-8');
  assert.deepEqual(Object.keys(answer.json), ['response']);
  assert.deepEqual(Object.keys(answer.json.response), ['download_name', 'files']);
  assert.equal(answer.json.response.download_name, 'nod');
});

test('DL-01 a feed that has no archive yet has an empty list', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  const { json } = await server.call('GET /v1/download/iprisk/', { key });
  assert.deepEqual(json, { response: { download_name: 'iprisk', files: [] } });
});

test('DL-06 a feed that never had a record lists the same hours as the others, with empty files', async () => {
  const server = await sharedServer({ settings: withoutLimits });
  const { key } = await server.user();
  const files = await filesOf(server, key, 'iprisk/');
  const expected = allNames.map((name) => name.replaceAll('nod', 'iprisk'));
  assert.deepEqual(names(files), expected);
  const { bytes } = await server.call(`GET ${pathOf(files[0] as ListedFile)}`);
  assert.equal(gunzipSync(bytes).toString(), '');
});

test('DL-02 every one of the nine feeds can be downloaded', async (t) => {
  const server = await testServer(t, { settings: withoutLimits });
  const { key } = await server.user();
  const feeds = Object.keys(feedProducts) as FeedName[];
  assert.equal(feeds.length, 9);
  for (const feed of feeds) await publish(server, feed, '2026-02-20T10:00:00Z', `${feed}.example`);
  server.clock.set('2026-02-20T11:02:00Z');
  await makeArchives(server);
  for (const feed of feeds) {
    const [file] = await filesOf(server, key, `${feed}/`);
    assert.equal(file?.name, `${feed}/2026-02-20/${feed}-20260220.1000-1100.json.gz`);
  }
});

test('DL-03 the daily names are accepted and list daily files', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  for (const name of dailyNames) {
    const { status, json } = await server.call(`GET /v1/download/${name}/`, { key });
    assert.deepEqual([status, json.response.download_name], [200, name]);
  }
  const line = await publish(server, 'iprisk', '2026-02-20T10:00:00Z', 'a.example');
  server.clock.set('2026-02-21T00:02:00Z');
  await makeArchives(server);
  const files = await filesOf(server, key, 'daily_ip_risk/');
  const name = 'daily_ip_risk/2026-02-20/daily_ip_risk-20260220.json.gz';
  assert.deepEqual(names(files), [name, `${name}.sha256`]);
  const { bytes } = await server.call(`GET ${pathOf(files[0] as ListedFile)}`);
  assert.equal(gunzipSync(bytes).toString(), line);
});

const unknown = [
  'nosuchfeed',
  'daily_nod',
  'NOD',
  'constructor',
  '__proto__',
  '5_min_domain_whois',
  '..%2fnod',
  'nod%00',
];
test('DL-04 a download of an unknown name returns 404', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  // nginx itself refuses a path with %00.
  for (const name of unknown.filter((each) => !testProxy || !each.includes('%00'))) {
    const { status, json } = await server.call(`GET /v1/download/${name}/`, { key });
    assert.deepEqual([status, json.error.code], [404, 404], name);
  }
});

test('DL-04 a caller without credentials cannot learn which names exist', async (t) => {
  const server = await testServer(t);
  for (const name of ['nod', 'nosuchfeed']) {
    assert.equal((await server.call(`GET /v1/download/${name}/`)).status, 401);
  }
});

test('DL-05 a file has its five members in their formats', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  const files = await filesOf(server, key);
  for (const file of files) {
    assert.deepEqual(Object.keys(file), ['name', 'last_modified', 'etag', 'size', 'url']);
    assert.match(file.last_modified, /^2026-02-20T01:01:12\+00:00$/);
    assert.match(file.etag, /^"[0-9a-f]{32}"$/);
    assert.match(file.size, /^[1-9]\d*$/);
    assert.match(
      file.url,
      new RegExp(`^http://127\\.0\\.0\\.1:8080/files/${file.name}\\?Expires=\\d{10}&Signature=[\\w-]{43}$`),
    );
    const { bytes, headers } = await server.call(`GET ${pathOf(file)}`);
    assert.deepEqual([String(bytes.length), headers['etag']], [file.size, file.etag]);
  }
});

test('DL-06 files are listed newest first, each hour with its checksum file', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  assert.deepEqual(names(await filesOf(server, key)), allNames);
});

test('DL-06 a full day is 48 files', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  await publish(server, 'nod', '2026-02-19T23:10:00Z', 'a.example');
  server.clock.set('2026-02-21T00:01:00Z');
  await makeArchives(server);
  const files = await filesOf(server, key, 'nod/?limit=48');
  assert.equal(files.length, 48);
  assert.ok(files.every(({ name }) => name.startsWith('nod/2026-02-20/')));
});

test('DL-07 an hour’s file holds its records, and its checksum file the SHA-256', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  const [file, checksum] = (await filesOf(server, key)) as [ListedFile, ListedFile];
  const { bytes } = await server.call(`GET ${pathOf(file)}`);
  assert.equal(gunzipSync(bytes).toString(), record('late.example', '2026-02-20T00:20:00Z'));
  const { text, headers } = await server.call(`GET ${pathOf(checksum)}`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.equal(text, `${sha256}  nod-20260220.0000-0100.json.gz\n`);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
});

test('DL-09 limit and page iterate over the files without gaps or repeats', async () => {
  const server = await sharedServer({ settings: withoutLimits });
  const { key } = await server.user();
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    const pages: string[] = [];
    for (let page = 0; page * limit < allNames.length + limit; page += 1) {
      const found = names(await filesOf(server, key, `nod/?limit=${limit}&page=${page}`));
      assert.ok(found.length <= limit);
      pages.push(...found);
    }
    assert.deepEqual(pages, allNames, `in pages of ${limit}`);
  }
  assert.deepEqual(await filesOf(server, key, 'nod/?page=999999999999999'), []);
});

const prefixes = {
  '2026-': 6,
  '2026-02-': 6,
  '2026-02-19': 4,
  'nod/2026-02-20': 2,
  '2026-02-20/nod-20260220.00': 2,
  '2026-03-': 0,
  'noh/2026-02-': 0,
  '../nod': 0,
  '%00': 0,
};

test('DL-09 a prefix selects the files of its dates', async () => {
  const server = await sharedServer({ settings: withoutLimits });
  const { key } = await server.user();
  for (const [prefix, count] of Object.entries(prefixes)) {
    assert.equal((await filesOf(server, key, `nod/?prefix=${prefix}`)).length, count, prefix);
  }
});

test('DL-09 a limit or page out of bounds is refused with 400', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=x',
    'page=-1',
    'page=1.5',
    'limit=1&limit=2',
  ]) {
    assert.equal((await server.call(`GET /v1/download/nod/?${query}`, { key })).status, 400, query);
  }
});

test('DL-10 the feed’s parameters are ignored, whatever their values', async () => {
  const server = await sharedServer({ settings: withoutLimits });
  const { key } = await server.user();
  for (const query of [
    'sessionID=a&after=-60',
    'before=2020-01-01T00:00:00Z',
    'after=nonsense&fromBeginning=perhaps&top=0',
    'domain=*x*y&headers=7&app_name=a&app_version=1',
  ]) {
    assert.deepEqual(names(await filesOf(server, key, `nod/?${query}`)), allNames, query);
  }
});

test('DL-11 a file is listed for 90 days after its day, and then its link no longer opens', async (t) => {
  const server = await archivedServer(t, {
    settings: { 'feeds.urlLifetimeHours': '168', 'feeds.retentionDays': '1' },
  });
  const { key } = await server.user();
  await server.streams.pruneSegments('feed-nod', Math.floor(server.clock.now() / 60_000));
  server.clock.set('2026-05-20T23:59:00Z');
  await makeArchives(server);
  const [oldest] = (await filesOf(server, key, 'nod/?prefix=2026-02-19')).slice(-1) as [ListedFile];
  assert.equal((await server.call(`GET ${pathOf(oldest)}`)).status, 200);
  server.clock.set('2026-05-21T00:00:00Z');
  await makeArchives(server);
  assert.deepEqual(await filesOf(server, key, 'nod/?prefix=2026-02-19'), []);
  assert.equal((await server.call(`GET ${pathOf(oldest)}`)).status, 404);
});

test('DL-12 a download accepts the key in the header and in the query, and a signature', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const { key, username } = user;
  const timestamp = new Date(server.clock.now()).toISOString();
  for (const [query, headers] of [
    ['', { 'x-api-key': key }],
    [`?api_username=${username}&api_key=${key}`, {}],
    [`?${queryOf(signed(user, timestamp, '/v1/download/nod/'))}`, {}],
  ] as const) {
    const answer = await server.call(`GET /v1/download/nod/${query}`, { headers });
    assert.deepEqual([answer.status, answer.json.response?.files.length], [200, 6], query);
  }
});
