/** What clients and operators see while the disk has hardly any space left. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FreeSpaceWatch } from '../../../src/store/embedded/free-space.ts';
import { streamText } from '../../harness/fixtures/stream-text.ts';
import { stubOperation } from '../../harness/server/echo-operations.ts';
import { type TestServerOptions, testServer } from '../../harness/server/test-server.ts';

const channels = JSON.stringify({ 42: { description: 'Lines', mimetype: 'application/x-ndjson' } });
const retryAfter = '60';

async function serverWithDisk(t: TestContext, options: TestServerOptions = {}) {
  const disk = { freeBytes: 900_000 };
  const freeSpace = new FreeSpaceWatch('/data', {
    reserve: { bytes: 100_000, percent: 50 },
    statfs: () => ({ bsize: 1, blocks: 1_000_000, bavail: disk.freeBytes }),
  });
  t.after(() => freeSpace.close());
  const server = await testServer(t, {
    ...options,
    freeSpace,
    settings: { 'batch.channels': channels, ...options.settings },
  });
  const user = await server.user({ permissions: ['read', 'ingest'], ownChannels: [42] });
  const append = () =>
    server.call('POST /v1/channels/42/lines/', {
      key: user.key,
      body: '{"a":1}\n',
      headers: { 'content-type': 'application/x-ndjson' },
    });
  return { server, user, disk, append };
}

const diskFull = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

test('lines are refused with 503 and Retry-After while space is low, and accepted when there is room again', async (t) => {
  const { server, disk, append } = await serverWithDisk(t);
  assert.equal((await append()).status, 200);
  disk.freeBytes = 99_999;
  const refused = await append();
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, retryAfter]);
  assert.equal(
    refused.json.error.message,
    'The server has not enough free disk space to store more. Try again later.',
  );
  disk.freeBytes = 200_000;
  assert.equal((await append()).status, 200);
  assert.equal(await streamText(server.streams, 'ch42'), '{"a":1}\n'.repeat(2));
});

test('reads are answered and counted while space is low', async (t) => {
  const { server, user, disk } = await serverWithDisk(t);
  disk.freeBytes = 0;
  const enrich = await server.call('GET /v1/intel-enrich/?domain=example.com', { key: user.key });
  const account = await server.call('GET /v1/account/', { key: user.key });
  assert.deepEqual([enrich.status, account.status], [200, 200]);
});

test('health and readiness say that space is low, and stay 200 because reads still work', async (t) => {
  const { server, disk } = await serverWithDisk(t);
  const both = async () => {
    const answers = [await server.call('GET /healthz'), await server.call('GET /readyz')];
    return answers.map(({ status, json }) => [status, json]);
  };
  const degraded = { status: 'degraded', storage: 'low' };
  assert.deepEqual(await both(), [
    [200, { status: 'ok' }],
    [200, { status: 'ready' }],
  ]);
  disk.freeBytes = 10;
  assert.deepEqual(await both(), [
    [200, degraded],
    [200, degraded],
  ]);
  disk.freeBytes = 900_000;
  assert.deepEqual((await both())[0], [200, { status: 'ok' }]);
});

test('the metrics have the free bytes, the reserve and whether space is low', async (t) => {
  const { server, disk } = await serverWithDisk(t);
  const read = async () => {
    const { text } = await server.call('GET /metrics');
    return Object.fromEntries(
      [...text.matchAll(/^nameglass_storage\{kind="(\w+)"\} (\d+)$/gm)].map(([, kind, value]) => [
        kind,
        Number(value),
      ]),
    );
  };
  const bytes = { free_bytes: 900_000, total_bytes: 1_000_000, reserve_bytes: 100_000 };
  assert.deepEqual(await read(), { ...bytes, low: 0 });
  disk.freeBytes = 5;
  assert.deepEqual(await read(), { ...bytes, free_bytes: 5, low: 1 });
});

test('a write of the platform API that still meets a full disk answers 503 with Retry-After, not 500', async (t) => {
  const failing = stubOperation('getAccountInfo', { handle: () => Promise.reject(diskFull()) });
  const { server, user } = await serverWithDisk(t, { operations: [failing] });
  const answer = await server.call('GET /v1/account/', { key: user.key });
  assert.deepEqual([answer.status, answer.headers['retry-after']], [503, retryAfter]);
  assert.match(answer.json.error.message, /disk space/);
});

test('a full disk in the passive DNS API answers 503 with Retry-After and one line of text', async (t) => {
  const { server, user } = await serverWithDisk(t, {
    rrsets: (own) => ({
      scan: () => {
        throw diskFull();
      },
      scanText: (scan) => own.scanText(scan),
    }),
  });
  const answer = await server.call('GET /pdns/v2/lookup/rrset/name/www.example.com', { key: user.key });
  assert.deepEqual([answer.status, answer.headers['retry-after']], [503, retryAfter]);
  assert.match(answer.text, /^Error: The server has not enough free disk space .*\n$/);
});
