import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneChannels } from '../../../src/product/batch/retention.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { append, assertNok, callBatch } from './batch-fixture.ts';

const sharedServer = sharedServers();

const ndjson = 'application/x-ndjson';

test('BAT-08 BAT-09 BAT-10 BAT-11 BAT-12 chdetails returns window, size and MIME type of each requested channel', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const first = await append(server, 213, '2026-01-28T00:40:59Z', ['a.example']);
  const second = await append(server, 213, '2026-01-28T20:05:01Z', ['b.example', 'ü.example']);
  const answer = await callBatch(server, 'chdetails', batchKey, { channels: [213, 212] });
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
  const now = '2026-01-28 20:05:00';
  const size = Buffer.byteLength(first + second);
  assert.equal(
    answer.text,
    JSON.stringify({
      channels: {
        ch213: { earliest: '2026-01-28 00:40:00', latest: '2026-01-28 20:06:00', size, mimetype: ndjson },
        ch212: { earliest: now, latest: now, size: 0, mimetype: ndjson },
      },
      _status: 'OK',
      _message: '',
    }),
  );
});

test('BAT-10 a channel that is requested twice is returned once', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  const { json } = await callBatch(server, 'chdetails', batchKey, { channels: [212, 204, 212] });
  assert.deepEqual(Object.keys(json.channels), ['ch212', 'ch204']);
});

test('BAT-12 the MIME type is the declared one', async () => {
  const channels = '{"7": {description: Log, mimetype: text/plain}}';
  const server = await sharedServer({ settings: { 'batch.channels': channels } });
  const { batchKey } = await server.user();
  const { json } = await callBatch(server, 'chdetails', batchKey, { channels: [7] });
  assert.equal(json.channels.ch7.mimetype, 'text/plain');
});

test('BAT-13 appended data is visible immediately, and pruned data no longer', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  const details = async () =>
    (await callBatch(server, 'chdetails', batchKey, { channels: [212] })).json.channels.ch212;
  const old = await append(server, 212, '2026-01-28T00:00:00Z', ['old.example']);
  assert.equal((await details()).size, old.length);
  const fresh = await append(server, 212, '2026-01-28T17:59:00Z', ['new.example']);
  await pruneChannels(server, server.clock.now());
  assert.equal((await details()).size, old.length + fresh.length);
  server.clock.set('2026-01-28T18:01:00Z');
  await pruneChannels(server, server.clock.now());
  const { earliest, latest, size } = await details();
  assert.deepEqual([earliest, latest, size], ['2026-01-28 17:59:00', '2026-01-28 18:00:00', fresh.length]);
});

test('BAT-14 chfetch from earliest to latest returns as many bytes as size says', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  for (const instant of ['2026-01-28T23:58:59.999Z', '2026-01-28T23:59:00Z', '2026-01-29T00:00:30Z']) {
    await append(server, 212, instant, ['one.example', 'two.example']);
  }
  const { json } = await callBatch(server, 'chdetails', batchKey, { channels: [212] });
  const { earliest, latest, size } = json.channels.ch212;
  const span = { channel: 212, start_time: earliest, end_time: latest };
  const { status, bytes } = await callBatch(server, 'chfetch', batchKey, span);
  assert.deepEqual([status, bytes.length], [200, size]);
});

test('BAT-15 a channel whose data is all pruned shows the current minute and size 0', async (t) => {
  const server = await testServer(t);
  const { batchKey } = await server.user();
  await append(server, 212, '2026-01-28T00:00:00Z', ['old.example']);
  server.clock.set('2026-01-29T12:34:56Z');
  await pruneChannels(server, server.clock.now());
  const { json } = await callBatch(server, 'chdetails', batchKey, { channels: [212] });
  const now = '2026-01-29 12:34:00';
  assert.deepEqual(json.channels.ch212, { earliest: now, latest: now, size: 0, mimetype: ndjson });
});

const wrongChannels: readonly (readonly [channels: unknown, reason: string])[] = [
  [undefined, 'should be an array of integers but received nothing'],
  [null, 'should be an array of integers but received null'],
  [212, 'should be an array of integers but received an integer'],
  ['212', 'should be an array of integers but received a string'],
  [{ 0: 212 }, 'should be an array of integers but received an object'],
  [[], 'should hold at least one channel'],
  [[0], 'should be from 1 to 255 but received 0'],
  [[256], 'should be from 1 to 255 but received 256'],
  [[-1], 'should be from 1 to 255 but received -1'],
  [[212, 256], 'should be from 1 to 255 but received 256'],
  [['212'], 'should hold integers but received a string'],
  [[212.5], 'should hold integers but received a fraction'],
  [[true], 'should hold integers but received a boolean'],
  [[[212]], 'should hold integers but received an array'],
];

test('BAT-16 BAT-44 BAT-45 anything but an array of integers from 1 to 255 returns 403 invalid-parameters with a reason', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const [channels, reason] of wrongChannels) {
    const answer = await callBatch(server, 'chdetails', batchKey, { channels });
    assertNok(answer, 403, 'invalid-parameters', 'channels');
    assert.equal(answer.json.invalid_parameters.reason, reason);
  }
});

test('BAT-16 channels 1 and 255 are accepted when declared', async () => {
  const channels = `{"1": {description: First, mimetype: ${ndjson}}, "255": {description: Last, mimetype: ${ndjson}}}`;
  const server = await sharedServer({ settings: { 'batch.channels': channels } });
  const { batchKey } = await server.user();
  const { status, json } = await callBatch(server, 'chdetails', batchKey, { channels: [255, 1] });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json.channels), ['ch255', 'ch1']);
});

test('BAT-17 chdetails is refused as a whole if the key may not access one of the channels', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user({ channels: [212] });
  assert.equal((await callBatch(server, 'chdetails', batchKey, { channels: [212] })).status, 200);
  const answer = await callBatch(server, 'chdetails', batchKey, { channels: [212, 213] });
  assertNok(answer, 403, 'session-failure');
  assert.match(answer.json['_message'], /213/);
});
