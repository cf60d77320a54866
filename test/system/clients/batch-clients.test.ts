/** The batch API used over a real connection in the ways of public clients. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { minuteText } from '../../../src/model/minute.ts';
import { append, callBatch, day, spanOf } from '../../api/batch/batch-fixture.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Generous, for an installation may come first. */
const options = { timeout: 900_000 };
const run = promisify(execFile);

/** In the words that the clients have compiled in, and under a name that leads nowhere else. */
async function openServer(t: TestContext) {
  const settings = { 'compat.profile': 'vendor', 'batch.downloadUrl': 'http://down.example' };
  const server = await testServer(t, { settings });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const { batchKey } = await server.user({ username: 'acme-1' });
  return { server, port, base: `http://127.0.0.1:${port}/siebatchd/v1`, apikey: batchKey };
}

test('the Ruby way: a form content type and a header that means nothing', async (t) => {
  const { server, port, apikey } = await openServer(t);
  const data = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const post = async (path: string, members: object) => {
    const headers = { Application: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: `/siebatchd/v1${path}`, headers });
    sent.end(JSON.stringify({ apikey, ...members }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, text: await text(answer) };
  };
  const profile = await post('/validate', {});
  assert.deepEqual(JSON.parse(profile.text).profile.siebatch.ch212, {
    description: 'Newly Observed Domains',
  });
  const fetched = await post('/siebatch/chfetch', spanOf('12:00', '12:05'));
  assert.deepEqual([fetched.status, fetched.text], [200, data]);
  assert.equal((await post('/siebatch/chfetch', { ...spanOf('12:00', '12:05'), channel: 9 })).status, 403);
});

test('the Python way: details first, an end behind the latest is clamped to now, then the data', async (t) => {
  const { server, base, apikey } = await openServer(t);
  const parts = [
    await append(server, 212, `${day}T11:30:00Z`, ['a.example']),
    await append(server, 212, `${day}T12:00:10Z`, ['b.example', 'c.example']),
  ];
  server.clock.set(`${day}T12:00:40Z`);
  const post = (path: string, members: object) =>
    fetch(`${base}/siebatch/${path}`, { method: 'POST', body: JSON.stringify({ apikey, ...members }) });
  const { channels } = (await (await post('chdetails', { channels: [212] })).json()) as {
    channels: Record<string, { earliest: string; latest: string; size: number }>;
  };
  const { earliest, latest, size } = channels['ch212'] as { earliest: string; latest: string; size: number };
  for (const time of [earliest, latest]) assert.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.ok(Number.isInteger(size));

  const download = async (start: string, end: string) => {
    assert.ok(start >= earliest && end >= start, 'what the client itself refuses');
    const until = end > latest ? `${day} 12:00:40` : end;
    const answer = await post('chfetch', { channel: 212, start_time: start, end_time: until });
    return { status: answer.status, text: await answer.text() };
  };
  assert.deepEqual(await download(earliest, latest), { status: 200, text: parts.join('') });
  // Its now is in the minute that is not over: what came in this minute comes with the next call.
  assert.deepEqual(await download(earliest, `${day} 13:00:00`), { status: 200, text: parts[0] });
  server.clock.set(`${day}T12:01:00Z`);
  assert.deepEqual(await download(`${day} 12:00:00`, `${day} 12:01:00`), { status: 200, text: parts[1] });
});

test('the way of a reader an hour behind: each minute once, and the domain of each line', async (t) => {
  const { server, base, apikey } = await openServer(t);
  await append(server, 212, `${day}T12:00:00Z`, ['a.example', 'b.example']);
  await append(server, 212, `${day}T12:02:59Z`, ['c.example']);
  const domains: string[] = [];
  for (let minute = 0; minute < 5; minute += 1) {
    server.clock.set(`${day}T13:0${minute}:30Z`);
    const start = server.clock.now() - 3_600_000;
    const times = [start, start + 60_000].map((ms) => minuteText(Math.floor(ms / 60_000)));
    const answer = await fetch(`${base}/siebatch/chfetch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apikey, channel: 212, start_time: times[0], end_time: times[1] }),
    });
    const body = await answer.text();
    if (answer.status === 404) continue;
    for (const line of body.trimEnd().split('\n')) domains.push(JSON.parse(line)['message']['domain']);
  }
  assert.deepEqual(domains, ['a.example', 'b.example', 'c.example']);
});

test('the way of curl: -d without a content type, and no redirect to follow', options, async (t) => {
  if (!needsPackage(t, 'curl', 'curl')) return;
  const { server, base, apikey } = await openServer(t);
  const data = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const body = JSON.stringify({ apikey, ...spanOf('12:00', '12:05') });
  const { stdout } = await run('curl', ['-sS', '--fail', '-d', body, `${base}/siebatch/chfetch`]);
  assert.equal(stdout, data);
  const named = temporaryDirectory(t);
  await run('curl', ['-sSOJ', '--fail', '-d', body, `${base}/siebatch/chfetch`], { cwd: named });
  assert.equal(readFileSync(join(named, 'ch212.20260128.1200.20260128.1205.ndjson'), 'utf8'), data);
});

test(
  'BAT-32 a link that one user made is downloaded by another with curl and nothing else',
  options,
  async (t) => {
    if (!needsPackage(t, 'curl', 'curl')) return;
    const { server, port, apikey } = await openServer(t);
    const data = await append(server, 213, `${day}T12:00:00Z`, ['a.example', 'b.example']);
    const { url } = (await callBatch(server, 'makeurl', apikey, spanOf('12:00', '12:01', 213))).json;
    assert.ok(url.startsWith('http://down.example/range/ch213/'), url);
    const bare = ['-H', 'User-Agent:', '-H', 'Accept:', '--connect-to', `::127.0.0.1:${port}`];
    const { stdout } = await run('curl', ['-sS', '--fail', ...bare, url]);
    assert.equal(stdout, data);
    const refused = await run('curl', ['-sS', '-w', '%{http_code}', ...bare, `${url}0`]);
    assert.match(refused.stdout, /<Code>SignatureDoesNotMatch<\/Code>.*403$/s);
  },
);

test(
  'BAT-32 a download by link that broke in the middle is resumed and gives the same bytes',
  options,
  async (t) => {
    if (!needsPackage(t, 'curl', 'curl')) return;
    const { server, port, apikey } = await openServer(t);
    const names = Array.from({ length: 30_000 }, (_, index) => `name-${index}.example`);
    let data = '';
    for (const minute of ['00', '01', '02']) {
      data += await append(server, 212, `${day}T12:${minute}:00Z`, names);
    }
    const { url } = (await callBatch(server, 'makeurl', apikey, spanOf('12:00', '12:05'))).json;
    const { pathname, search } = new URL(url);
    const sent = request({ host: '127.0.0.1', port, path: pathname + search, agent: false });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [begun] = (await once(answer, 'data')) as [Buffer];
    answer.destroy();
    assert.ok(begun.length < data.length);

    const file = join(temporaryDirectory(t), 'data.ndjson');
    writeFileSync(file, begun);
    const connect = ['--connect-to', `::127.0.0.1:${port}`];
    const { stdout } = await run('curl', [
      '-sS',
      '-C',
      '-',
      '-o',
      file,
      '-w',
      '%{http_code}',
      ...connect,
      url,
    ]);
    assert.equal(stdout, '206');
    assert.equal(readFileSync(file, 'utf8'), data);

    const rest = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      headers: {
        range: `bytes=${begun.length}-`,
        'if-range': answer.headers.etag as string,
        'accept-encoding': 'identity',
        // Else the connection outlives the test, and the server waits for it.
        connection: 'close',
      },
    });
    assert.deepEqual([rest.status, begun.toString() + (await rest.text())], [206, data]);
  },
);
