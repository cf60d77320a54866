import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { minuteText } from '../../../src/model/minute.ts';
import { pruneChannels } from '../../../src/product/batch/retention.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { append, assertNok, callBatch, day, spanOf } from './batch-fixture.ts';

const sharedServer = sharedServers();

test('BAT-18 BAT-19 chfetch returns 200 and the lines of the range, one object per line', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T11:59:59Z`, ['before.example']);
  const wanted =
    (await append(server, 212, `${day}T12:00:00Z`, ['a.example', 'ü.example'])) +
    (await append(server, 212, `${day}T12:04:59Z`, ['b.example']));
  await append(server, 212, `${day}T12:05:00Z`, ['after.example']);
  await append(server, 213, `${day}T12:05:00Z`, ['other.example']);
  const answer = await callBatch(server, 'chfetch', batchKey, spanOf('12:00', '12:05'));
  assert.equal(answer.status, 200);
  assert.equal(answer.text, wanted);
  for (const line of answer.text.trimEnd().split('\n')) assert.equal(typeof JSON.parse(line), 'object');
});

test('BAT-20 times are parsed as UTC, whatever the server’s time zone is', async (t) => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/Los_Angeles';
  t.after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const wanted = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  assert.equal((await callBatch(server, 'chfetch', batchKey, spanOf('12:00', '12:01'))).text, wanted);
});

const wrongTimes: readonly (readonly [time: unknown, reason: string])[] = [
  [undefined, 'should be a string but received nothing'],
  [null, 'should be a string but received null'],
  [1_769_601_600, 'should be a string but received an integer'],
  [`${day} 12:00`, 'should have the form YYYY-MM-DD HH:MM:SS'],
  [`${day}T12:00:00`, 'should have the form YYYY-MM-DD HH:MM:SS'],
  [`${day}T12:00:00Z`, 'should have the form YYYY-MM-DD HH:MM:SS'],
  [`${day} 12:00:00.5`, 'should have the form YYYY-MM-DD HH:MM:SS'],
  [`${day} 12:00:00 `, 'should have the form YYYY-MM-DD HH:MM:SS'],
  [`${day} 12:00:00\n`, 'should have the form YYYY-MM-DD HH:MM:SS'],
  ['2026-1-28 12:00:00', 'should have the form YYYY-MM-DD HH:MM:SS'],
  ['+02026-01-28 12:00:00', 'should have the form YYYY-MM-DD HH:MM:SS'],
  ['', 'should have the form YYYY-MM-DD HH:MM:SS'],
  ['2026-02-30 12:00:00', 'should be a time that exists'],
  ['2025-02-29 12:00:00', 'should be a time that exists'],
  ['2026-13-01 12:00:00', 'should be a time that exists'],
  [`${day} 24:00:00`, 'should be a time that exists'],
  [`${day} 12:60:00`, 'should be a time that exists'],
  [`${day} 12:00:60`, 'should be a time that exists'],
];

test('BAT-20 BAT-21 BAT-44 BAT-45 a time that is malformed, lacks seconds, or does not exist returns 403 invalid-parameters with a reason', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const [time, reason] of wrongTimes) {
    for (const [operation, name] of [
      ['chfetch', 'start_time'],
      ['chfetch', 'end_time'],
      ['makeurl', 'start_time'],
      ['makeurl', 'end_time'],
    ] as const) {
      const answer = await callBatch(server, operation, batchKey, {
        ...spanOf('12:00', '12:05'),
        [name]: time,
      });
      assertNok(answer, 403, 'invalid-parameters', name);
      assert.equal(answer.json.invalid_parameters.reason, reason);
    }
  }
});

test('BAT-22 seconds are ignored: 12:10:30 to 12:45:30 is 12:10:00 to 12:45:00', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const wanted =
    (await append(server, 212, `${day}T12:10:00Z`, ['first.example'])) +
    (await append(server, 212, `${day}T12:44:59Z`, ['last.example']));
  await append(server, 212, `${day}T12:45:10Z`, ['beyond.example']);
  const answer = await callBatch(server, 'chfetch', batchKey, {
    channel: 212,
    start_time: `${day} 12:10:30`,
    end_time: `${day} 12:45:30`,
  });
  assert.equal(answer.text, wanted);
});

test('BAT-23 any split of a window into adjacent ranges returns in total what the window returns', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const begin = Date.parse(`${day}T11:57:13Z`);
  let all = '';
  for (const [seconds, count] of [
    [0, 3],
    [1, 1],
    [59, 40],
    [61, 2],
    [240, 500],
    [241, 1],
    [479, 7],
    [600, 1],
  ] as const) {
    const texts = Array.from({ length: count }, (_, index) => `name${index}.example`);
    all += await append(server, 212, new Date(begin + seconds * 1000).toISOString(), texts);
  }
  const [first, end] = [Math.floor(begin / 60_000) - 1, Math.floor(begin / 60_000) + 12];
  const fetchText = async (from: number, to: number) => {
    const span = { channel: 212, start_time: minuteText(from), end_time: minuteText(to) };
    const { status, text } = await callBatch(server, 'chfetch', batchKey, span);
    if (status === 404) return '';
    assert.equal(status, 200);
    return text;
  };
  assert.equal(await fetchText(first, end), all);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: first, max: end }), { maxLength: 6 }), async (cuts) => {
      const bounds = [first, ...cuts.sort((left, right) => left - right), end];
      let joined = '';
      for (const [index, to] of bounds.slice(1).entries())
        joined += await fetchText(bounds[index] as number, to);
      assert.equal(joined, all);
    }),
    { numRuns: 40 },
  );
});

test('BAT-24 an end_time before start_time returns 403 invalid-parameters', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const operation of ['chfetch', 'makeurl'] as const) {
    const answer = await callBatch(server, operation, batchKey, spanOf('12:05', '12:04'));
    assertNok(answer, 403, 'invalid-parameters', 'end_time');
  }
});

test('BAT-25 a range without data returns 404 no-data with the NOK body', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const span = spanOf('12:00', '12:05');
  assertNok(await callBatch(server, 'chfetch', batchKey, span), 404, 'no-data');
  await append(server, 212, `${day}T12:05:00Z`, ['later.example']);
  await append(server, 213, `${day}T12:02:00Z`, ['other.example']);
  const answer = await callBatch(server, 'chfetch', batchKey, span);
  assertNok(answer, 404, 'no-data');
  assert.equal(answer.json['_message'], 'No data available');
  assert.match(answer.json.detail, /channel 212 .* 2026-01-28 12:00:00 to 2026-01-28 12:05:00/);
});

test('BAT-25 a range that ends in the minute it starts is empty', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:30Z`, ['a.example']);
  for (const seconds of ['00', '59']) {
    const span = { channel: 212, start_time: `${day} 12:00:30`, end_time: `${day} 12:00:${seconds}` };
    assertNok(await callBatch(server, 'chfetch', batchKey, span), 404, 'no-data');
  }
});

test('BAT-25 times in the distant past and future are ranges without data', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  for (const [start_time, end_time] of [
    ['0000-01-01 00:00:00', '1970-01-01 00:01:00'],
    ['9999-12-31 23:58:00', '9999-12-31 23:59:59'],
  ]) {
    const answer = await callBatch(server, 'chfetch', batchKey, { channel: 212, start_time, end_time });
    assertNok(answer, 404, 'no-data');
  }
});

test('BAT-26 BAT-28 a partly pruned range returns the rest, and a fully pruned one nothing', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, '2026-01-28T00:00:00Z', ['old.example']);
  const kept = await append(server, 212, '2026-01-28T06:00:00Z', ['kept.example']);
  server.clock.set('2026-01-28T18:01:00Z');
  await pruneChannels(server, server.clock.now());
  assert.equal((await callBatch(server, 'chfetch', batchKey, spanOf('00:00', '12:00'))).text, kept);
  assertNok(await callBatch(server, 'chfetch', batchKey, spanOf('00:00', '05:00')), 404, 'no-data');
  const { json } = await callBatch(server, 'chdetails', batchKey, { channels: [212] });
  assert.equal(json.channels.ch212.earliest, '2026-01-28 06:00:00');
});

test('BAT-29 BAT-30 chfetch returns the raw data with headers that describe it', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const text = await append(server, 212, `${day}T12:00:00Z`, ['a.example']);
  const { status, headers } = await callBatch(server, 'chfetch', batchKey, spanOf('12:00', '12:05'));
  assert.deepEqual([status, headers['location']], [200, undefined]);
  assert.equal(headers['content-type'], 'application/x-ndjson');
  assert.equal(
    headers['content-disposition'],
    'attachment; filename="ch212.20260128.1200.20260128.1205.ndjson"',
  );
  assert.equal(headers['content-length'], String(text.length));
  assert.equal(headers['accept-ranges'], 'bytes');
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

test('BAT-30 a byte range returns 206, also for POST, and one past the end 416', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const text = await append(server, 212, `${day}T12:00:00Z`, ['a.example', 'b.example']);
  const of = (range: string) =>
    server.call('POST /batchd/v1/batch/chfetch', {
      headers: { range },
      body: { apikey: batchKey, ...spanOf('12:00', '12:05') },
    });
  const part = await of('bytes=5-9');
  assert.deepEqual(
    [part.status, part.text, part.headers['content-range'], part.headers['content-length']],
    [206, text.slice(5, 10), `bytes 5-9/${text.length}`, '5'],
  );
  assert.equal((await of('bytes=-4')).text, text.slice(-4));
  const pastEnd = await of(`bytes=${text.length}-`);
  assert.deepEqual([pastEnd.status, pastEnd.headers['content-range']], [416, `bytes */${text.length}`]);
});

test('BAT-30 data is compressed for a client that accepts gzip, then whole and without Content-Length', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const text = await append(server, 212, `${day}T12:00:00Z`, Array(500).fill('a.example'));
  const { status, headers, bytes } = await server.call('POST /batchd/v1/batch/chfetch', {
    headers: { 'accept-encoding': 'gzip', range: 'bytes=0-4' },
    body: { apikey: batchKey, ...spanOf('12:00', '12:05') },
  });
  assert.deepEqual([status, headers['content-encoding']], [200, 'gzip']);
  for (const name of ['content-length', 'accept-ranges', 'content-range', 'etag']) {
    assert.equal(headers[name], undefined, name);
  }
  assert.equal(gunzipSync(bytes).toString(), text);
});

test('BAT-17 an undeclared channel and one that the key may not access answer the same 403 session-failure', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user({ channels: [212, 9] });
  for (const operation of ['chfetch', 'makeurl'] as const) {
    for (const channel of [9, 213]) {
      const answer = await callBatch(server, operation, batchKey, spanOf('12:00', '12:05', channel));
      assertNok(answer, 403, 'session-failure');
      assert.equal(answer.json['_message'], `this key may not access channel ${channel}`);
    }
  }
  const everything = await server.user();
  assertNok(
    await callBatch(server, 'chfetch', everything.batchKey, spanOf('12:00', '12:05', 9)),
    403,
    'session-failure',
  );
});

const wrongChannels: readonly (readonly [channel: unknown, reason: string])[] = [
  [undefined, 'should be an integer but received nothing'],
  ['212', 'should be an integer but received a string'],
  [null, 'should be an integer but received null'],
  [[212], 'should be an integer but received an array'],
  [212.5, 'should be an integer but received a fraction'],
  [0, 'should be from 1 to 255 but received 0'],
  [256, 'should be from 1 to 255 but received 256'],
  [-212, 'should be from 1 to 255 but received -212'],
];

test('BAT-44 BAT-45 BAT-46 BAT-49 anything but an integer from 1 to 255 returns 403 invalid-parameters with a reason', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const [channel, reason] of wrongChannels) {
    for (const operation of ['chfetch', 'makeurl'] as const) {
      const answer = await callBatch(server, operation, batchKey, {
        ...spanOf('12:00', '12:05'),
        channel,
      });
      assertNok(answer, 403, 'invalid-parameters', 'channel');
      assert.deepEqual(answer.json.invalid_parameters, { name: 'channel', reason });
    }
  }
});
