import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { pruneChannels } from '../../../src/product/batch/retention.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import { type ClientAddress, clientAddress } from '../../harness/server/client-address.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { type Answer, testServer } from '../../harness/server/test-server.ts';
import { until } from '../../harness/server/world-server.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { append, callBatch, day, linkTo, spanOf } from './batch-fixture.ts';

const sharedServer = sharedServers();

const downloadHost = { 'batch.downloadUrl': 'https://down.example', 'http.publicUrl': 'https://api.example' };

function assertXml(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.headers['content-type']], [status, 'application/xml']);
  assert.match(answer.text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Error>.*<\/Error>\n$/);
  assert.equal(/<Code>(.*)<\/Code>/.exec(answer.text)?.[1], code);
}

/** Sends a URL over a socket unchanged; an injected one would be normalised. */
async function statusOf({ host, port }: ClientAddress, url: Buffer): Promise<string | undefined> {
  const socket = connect(port, host);
  const rest = 'HTTP/1.1\r\nHost: here.test\r\nConnection: close\r\n\r\n';
  socket.write(Buffer.concat([Buffer.from('GET '), url, Buffer.from(` ${rest}`)]));
  return /^HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1];
}

test('BAT-08 BAT-31 BAT-33 BAT-34 makeurl returns a presigned link on the download host', async () => {
  const server = await sharedServer({ settings: downloadHost });
  const { batchKey } = await server.user({ username: 'acme-1' });
  server.clock.set(`${day}T13:14:15Z`);
  const answer = await server.call('POST /batchd/v1/batch/makeurl', {
    headers: { host: 'evil.example' },
    body: { apikey: batchKey, ...spanOf('12:00', '12:01', 213) },
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.json), ['_status', '_message', 'url']);
  assert.deepEqual([answer.json['_status'], answer.json['_message']], ['OK', '']);
  const { url } = answer.json as { url: string };
  const { origin, pathname, searchParams } = new URL(url);
  assert.deepEqual([origin, pathname], ['https://down.example', '/range/ch213/20260128.1200.20260128.1201']);
  assert.deepEqual(
    [...searchParams.keys()],
    ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map(
      (name) => `X-Amz-${name}`,
    ),
  );
  assert.match(
    searchParams.get('X-Amz-Credential') ?? '',
    /^NG[0-9A-F]{16}\/20260128\/local\/s3\/aws4_request$/,
  );
  assert.equal(searchParams.get('X-Amz-Date'), '20260128T131415Z');
  assert.match(searchParams.get('X-Amz-Signature') ?? '', /^[0-9a-f]{64}$/);
});

test('BAT-33 two users who request the same range at the same time get the same link, which identifies neither', async () => {
  const server = await sharedServer();
  const [first, second] = [
    await server.user({ username: 'first' }),
    await server.user({ username: 'second' }),
  ];
  const span = spanOf('12:00', '12:05');
  const link = await linkTo(server, first.batchKey, span);
  assert.equal(await linkTo(server, second.batchKey, span), link);
});

test('BAT-33 without a download host the link is on the public URL, under the mount prefix', async (t) => {
  const server = await testServer(t, {
    settings: { 'http.publicUrl': 'https://api.example:8443', 'http.mountPrefix': '/dt' },
  });
  const { batchKey } = await server.user();
  const data = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const { url } = (await callBatch(server, 'makeurl', batchKey, spanOf('12:00', '12:05'))).json;
  const before = 'https://api.example:8443';
  assert.ok(url.startsWith(`${before}/dt/range/ch212/`), url);
  const path = url.slice(before.length);
  assert.equal((await server.call(`GET ${path}`)).text, data);
  assertXml(await server.call(`GET ${path.replace('/dt', '')}`), 403, 'SignatureDoesNotMatch');
});

test('BAT-32 GET without credentials, under any host name, returns what chfetch returns', async (t) => {
  const server = await testServer(t, { settings: downloadHost });
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example', 'b.example']);
  await append(server, 212, `${day}T12:05:00Z`, ['later.example']);
  const span = spanOf('12:00', '12:05');
  const link = await linkTo(server, batchKey, span);
  const fetched = await callBatch(server, 'chfetch', batchKey, span);
  for (const host of ['down.example', '127.0.0.1:8080']) {
    const answer = await server.call(`GET ${link}`, { headers: { host } });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.bytes, fetched.bytes);
    for (const name of ['content-type', 'content-disposition', 'content-length', 'accept-ranges', 'etag']) {
      assert.equal(answer.headers[name], fetched.headers[name], name);
    }
  }
});

test('BAT-32 a link still works after the key that created it is revoked, and returns the current data', async (t) => {
  const server = await testServer(t);
  const { batchKey, username } = await server.user();
  const data = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  await server.accounts.updateUser(username, { batchKey: null }, { actor: 'operator', atMs: 0 });
  const more = await append(server, 212, `${day}T12:00:50Z`, ['b.example']);
  assert.equal((await server.call(`GET ${link}`)).text, data + more);
});

test('BAT-32 HEAD returns the headers of GET, and ranges and gzip work as with chfetch', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const data = await append(server, 212, `${day}T12:00:00Z`, Array(200).fill('a.example'));
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  const head = await server.call(`HEAD ${link}`);
  assert.deepEqual(
    [head.status, head.text, head.headers['content-length'], head.headers['accept-ranges']],
    [200, '', String(data.length), 'bytes'],
  );
  const part = await server.call(`GET ${link}`, { headers: { range: 'bytes=100-' } });
  assert.deepEqual([part.status, part.text], [206, data.slice(100)]);
  const compressed = await server.call(`GET ${link}`, { headers: { 'accept-encoding': 'gzip, br' } });
  assert.deepEqual(
    [compressed.headers['content-encoding'], gunzipSync(compressed.bytes).toString()],
    ['gzip', data],
  );
});

test('BAT-35 BAT-36 makeurl succeeds outside the window, and its link returns 404 NoSuchKey', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, '2026-01-28T00:00:00Z', ['old.example']);
  server.clock.set('2026-01-28T20:00:00Z');
  await pruneChannels(server, server.clock.now());
  for (const span of [
    spanOf('00:00', '00:05'),
    { channel: 212, start_time: '2019-01-01 00:00:00', end_time: '2019-01-02 00:00:00' },
    { channel: 212, start_time: '2030-01-01 00:00:00', end_time: '2030-01-02 00:00:00' },
    spanOf('12:00', '12:00'),
  ]) {
    assert.equal((await callBatch(server, 'makeurl', batchKey, span)).status, 200);
    assertXml(await server.call(`GET ${await linkTo(server, batchKey, span)}`), 404, 'NoSuchKey');
  }
});

test('BAT-36 a link to data that has since been pruned returns 404 NoSuchKey', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, '2026-01-28T00:00:00Z', ['a.example']);
  server.clock.set('2026-01-28T17:00:00Z');
  const link = await linkTo(server, batchKey, spanOf('00:00', '00:05'));
  assert.equal((await server.call(`GET ${link}`)).status, 200);
  server.clock.set('2026-01-28T18:01:00Z');
  // What was read a moment ago may still be held for its reader, and is not pruned then.
  const pruned = await until('the lines are pruned', async () => {
    await pruneChannels(server, server.clock.now());
    const answer = await server.call(`GET ${link}`);
    return answer.status === 200 ? undefined : answer;
  });
  assertXml(pruned, 404, 'NoSuchKey');
});

test('BAT-36 a link to a channel that is no longer declared returns 404 NoSuchKey', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  const channels = '{"7": {description: Lucky, mimetype: application/x-ndjson}}';
  const { directory, clock } = server;
  const later = await testServer(t, { directory, clock, settings: { 'batch.channels': channels } });
  assertXml(await later.call(`GET ${link}`), 404, 'NoSuchKey');
});

test('BAT-37 an expired link returns 403 with the message about authentication, and a new one works', async (t) => {
  const server = await testServer(t, { settings: { 'batch.urlLifetimeHours': '1' } });
  const { batchKey } = await server.user();
  const data = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  server.clock.advanceSeconds(3599);
  assert.equal((await server.call(`GET ${link}`)).status, 200);
  server.clock.advanceSeconds(1);
  const answer = await server.call(`GET ${link}`);
  assertXml(answer, 403, 'AccessDenied');
  assert.match(answer.text, /<Message>Authentication is unable: the URL has expired\./);
  assert.equal((await server.call(`HEAD ${link}`)).status, 403);
  const another = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  assert.equal((await server.call(`GET ${another}`)).text, data);
});

test('BAT-37 an expired link to pruned data is reported as expired and reveals nothing about the data', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  server.clock.advanceSeconds(30 * 3600);
  assertXml(await server.call(`GET ${link}`), 403, 'AccessDenied');
});

for (const [settings, channel, hours] of [
  [{}, 212, 18],
  [{ 'batch.retentionHours': '48' }, 212, 24],
  [{ 'batch.retentionHours': '48', 'batch.urlLifetimeHours': '36' }, 212, 36],
  [{ 'batch.urlLifetimeHours': '2' }, 212, 2],
  [
    { 'batch.channels': '{"7": {description: Own, mimetype: application/x-ndjson, retentionHours: 3}}' },
    7,
    3,
  ],
] as const) {
  test(`BAT-38 with ${JSON.stringify(settings)} a link to channel ${channel} is valid for ${hours} hours`, async () => {
    const server = await sharedServer({ settings });
    const { batchKey } = await server.user();
    const { json } = await callBatch(server, 'makeurl', batchKey, spanOf('12:00', '12:05', channel));
    assert.equal(new URL(json.url).searchParams.get('X-Amz-Expires'), String(hours * 3600));
  });
}

test('BAT-39 flipping any single bit of a link’s path or query invalidates it', async (t) => {
  const server = await testServer(t, { settings: { 'compat.profile': 'vendor' } });
  const { batchKey } = await server.user();
  // Adjacent ranges and channels hold data as well.
  for (const channel of [204, 211, 212, 213, 214, 220, 221]) {
    await append(server, channel, `${day}T12:00:00Z`, ['a.example']);
  }
  const link = Buffer.from(await linkTo(server, batchKey, spanOf('12:00', '12:05')));
  const address = await clientAddress(server.app);
  assert.equal(await statusOf(address, link), '200');
  await fc.assert(
    fc.asyncProperty(fc.nat(link.length - 1), fc.nat(7), async (at, bit) => {
      const altered = Buffer.from(link);
      altered[at] = (altered[at] as number) ^ (1 << bit);
      const status = await statusOf(address, altered);
      assert.ok(['400', '403', '404'].includes(status ?? ''), `${status} ${altered.toString('latin1')}`);
    }),
    { numRuns: propertyRuns(150) },
  );
});

test('BAT-39 repeated, added, missing, reordered or re-encoded parameters, and other paths to the same range, return 403', async (t) => {
  const server = await testServer(t, { settings: { 'compat.profile': 'vendor' } });
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  await append(server, 213, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  const [path, query] = link.split('?') as [string, string];
  const other = (await linkTo(server, batchKey, spanOf('12:00', '12:05', 213))).split('?')[1] as string;
  for (const url of [
    path,
    `${path}?`,
    `${path}?${query}&${query}`,
    `${path}?${query}&X-Amz-Expires=604800`,
    `${path}?X-Amz-Expires=604800&${query}`,
    `${path}?${query}&download=1`,
    `${path}?${query.split('&').toReversed().join('&')}`,
    `${path}?${query.replaceAll('%2F', '/')}`,
    `${path}?${query.replaceAll('%2F', '%2f')}`,
    `${path}?${query.replace('host', '%68ost')}`,
    `${path}?${query.toLowerCase()}`,
    `${path}?${query.replaceAll('&', ';')}`,
    `${path}?${query}%00`,
    `${path}?${other}`,
    `${path}/?${query}`,
    `/${path}?${query}`,
    `${path.replace('ch212', 'ch%3212')}?${query}`,
    `${path.replace('ch212', 'ch213')}?${query}`,
    `${path.replace('ch212', 'CH212')}?${query}`,
    `${path.replace('1200', '1159')}?${query}`,
    `${path.replaceAll('.', '%2E')}?${query}`,
    `/vendor${path}?${query}`,
  ]) {
    const answer = await server.call(`GET ${url}`);
    assert.ok([403, 404].includes(answer.status), `${answer.status} ${url}`);
    assertXml(answer, answer.status, answer.status === 403 ? 'SignatureDoesNotMatch' : 'NoSuchKey');
  }
});

test('BAT-39 a path that only normalises to the signed path returns 403', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  // Over a socket: an injected path would be normalised.
  for (const detour of ['/range/../range', '/range/.', '/./range', '//range', '/range/', '/%72ange']) {
    const { status } = await callOverSocket(server, link.replace('/range', detour));
    assert.ok(status === 403 || status === 404, `${status} ${detour}`);
  }
  assert.equal((await callOverSocket(server, link)).status, 200);
});

test('BAT-39 a link of another installation, and one for another download host, return 403', async (t) => {
  const clock = new TestClock(`${day}T12:10:00Z`);
  const server = await testServer(t, { clock });
  const otherServer = await testServer(t, { clock });
  const moved = await testServer(t, { clock, directory: server.directory, settings: downloadHost });
  const own = await server.user();
  for (const { app, link } of [
    {
      app: server,
      link: await linkTo(otherServer, (await otherServer.user()).batchKey, spanOf('12:00', '12:05')),
    },
    { app: moved, link: await linkTo(server, own.batchKey, spanOf('12:00', '12:05')) },
  ]) {
    assertXml(await app.call(`GET ${link}`), 403, 'SignatureDoesNotMatch');
  }
});

test('BAT-39 a link accepts only GET and HEAD', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    assertXml(await server.call(`${method} ${link}`), 404, 'NoSuchKey');
  }
});

test('the path of a download is logged, but neither signature nor credential', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  const { searchParams } = new URL(link, 'http://here.test');
  await server.call(`GET ${link}`);
  await server.call(`GET ${link}x`);
  await server.call(`GET ${link}`, { headers: { range: 'bytes=1-2' } });
  assert.equal(server.log().split('/range/ch212/20260128.1200.20260128.1205').length - 1, 3);
  for (const name of ['X-Amz-Signature', 'X-Amz-Credential']) {
    const secret = searchParams.get(name) as string;
    for (const form of [secret, encodeURIComponent(secret)]) assert.ok(!server.log().includes(form), name);
  }
});

test('an internal error reveals nothing about its cause in a download', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const link = await linkTo(server, batchKey, spanOf('12:00', '12:05'));
  await server.closeStores();
  const answer = await server.call(`GET ${link}`);
  assertXml(answer, 500, 'InternalError');
  assert.doesNotMatch(answer.text, /database|sqlite|\.ts|connection/i);
});
