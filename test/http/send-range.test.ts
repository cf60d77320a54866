import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import Fastify from 'fastify';
import { decorateRequests } from '../../src/http/request-state.ts';
import { type Download, sendRange } from '../../src/http/send-range.ts';

const text = 'line one\nline two\nline three\n';
const download: Download = {
  contentType: 'application/x-ndjson',
  fileName: 'ch1.ndjson',
  etag: '"1-0-29"',
  gzip: true,
  stalledSeconds: 60,
  logAbandoned: () => undefined,
};

type ReadChunks = (from: number, to: number) => AsyncIterable<Uint8Array>;

async function* inChunks(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const chunksOf: ReadChunks = (from, to) => inChunks(Buffer.from(text).subarray(from, to));

/** A server that answers every request with one download, and counts how many were closed. */
function serverOf(
  t: TestContext,
  options: { chunks?: ReadChunks; bytes?: number; download?: Partial<Download>; onClose?: () => void } = {},
) {
  const app = Fastify({ exposeHeadRoutes: false });
  t.after(() => app.close());
  decorateRequests(app);
  let closed = 0;
  app.route({
    method: ['GET', 'HEAD', 'POST'],
    url: '/',
    handler: async (received, reply) => {
      const content = {
        bytes: options.bytes ?? text.length,
        read: options.chunks ?? chunksOf,
        close: async () => {
          closed += 1;
          options.onClose?.();
        },
      };
      return sendRange(received, reply, content, { ...download, ...options.download });
    },
  });
  const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    app.inject({ method, url: '/', headers });
  return { app, get, closed: () => closed };
}

test('a download has content type, file name, length and etag, and accepts ranges', async (t) => {
  const { get, closed } = serverOf(t);
  const { statusCode, payload, headers } = await get();
  assert.deepEqual([statusCode, payload, closed()], [200, text, 1]);
  assert.equal(headers['content-type'], 'application/x-ndjson');
  assert.equal(headers['content-disposition'], 'attachment; filename="ch1.ndjson"');
  assert.equal(headers['content-length'], String(text.length));
  assert.equal(headers['accept-ranges'], 'bytes');
  assert.equal(headers['etag'], '"1-0-29"');
  assert.equal(headers['vary'], 'accept-encoding');
});

test('any range returns its bytes with 206, the whole content with 200, or 416', async (t) => {
  const { get } = serverOf(t);
  const number = fc.option(fc.nat(40), { nil: '' });
  await fc.assert(
    fc.asyncProperty(number, number, async (first, last) => {
      const { statusCode, payload, headers } = await get({ range: `bytes=${first}-${last}` });
      if (statusCode === 200) assert.equal(payload, text);
      else if (statusCode === 416)
        assert.deepEqual([payload, headers['content-range']], ['', `bytes */${text.length}`]);
      else {
        assert.equal(statusCode, 206);
        const [, from, to] = /^bytes (\d+)-(\d+)\/29$/.exec(String(headers['content-range'])) ?? [];
        assert.equal(payload, text.slice(Number(from), Number(to) + 1));
        assert.equal(headers['content-length'], String(payload.length));
      }
    }),
  );
});

test('If-Range with the current etag returns the range; another etag or a date returns the whole content', async (t) => {
  const { get } = serverOf(t);
  const of = (condition: string) => get({ range: 'bytes=5-', 'if-range': condition });
  assert.deepEqual([(await of('"1-0-29"')).statusCode, (await of('"1-0-29"')).payload], [206, text.slice(5)]);
  for (const condition of ['"1-9-29"', 'W/"1-0-29"', 'Wed, 28 Jan 2026 12:00:00 GMT']) {
    const { statusCode, payload } = await of(condition);
    assert.deepEqual([statusCode, payload], [200, text]);
  }
});

test('HEAD returns the headers of GET, with a range as well, and reads no content', async (t) => {
  const { get, closed } = serverOf(t, {
    chunks: () => assert.fail('no content must be read'),
  });
  const whole = await get({}, 'HEAD');
  assert.deepEqual([whole.statusCode, whole.payload, whole.headers['content-length']], [200, '', '29']);
  const part = await get({ range: 'bytes=9-' }, 'HEAD');
  assert.deepEqual(
    [part.statusCode, part.headers['content-length'], part.headers['content-range']],
    [206, '20', 'bytes 9-28/29'],
  );
  const compressed = await get({ 'accept-encoding': 'gzip' }, 'HEAD');
  assert.deepEqual(
    [compressed.headers['content-encoding'], compressed.headers['content-length']],
    ['gzip', undefined],
  );
  assert.equal(closed(), 3);
});

test('content that is already compressed is not compressed again', async (t) => {
  const headers = { 'accept-encoding': 'gzip' };
  assert.equal(gunzipSync((await serverOf(t).get(headers)).rawPayload).toString(), text);
  const plain = await serverOf(t, { download: { gzip: false } }).get({ ...headers, range: 'bytes=0-3' });
  assert.deepEqual(
    [plain.statusCode, plain.payload, plain.headers['content-encoding']],
    [206, 'line', undefined],
  );
});

test('a response whose source fails is aborted, and the content is closed', async (t) => {
  const server = serverOf(t, {
    chunks: async function* () {
      yield Buffer.from('line');
      throw new Error('disk failure');
    },
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await assert.rejects(buffer(answer), /aborted/);
  assert.equal(server.closed(), 1);
});

test('the content is closed when the client disconnects in the middle', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bytes = 1e9;
  const chunk = Buffer.alloc(65_536, 'x');
  let given = 0;
  const server = serverOf(t, {
    bytes,
    onClose: resolve,
    chunks: async function* () {
      for (; given < bytes; given += chunk.length) yield chunk;
    },
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await once(answer, 'data');
  answer.destroy();
  await promise;
  assert.ok(given < bytes / 2, 'reading stopped when the client disconnected');
});

test('a client that reads nothing is cut off after stalledSeconds, and the content is closed', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const chunk = Buffer.alloc(65_536, 'x');
  const server = serverOf(t, {
    bytes: 1e9,
    download: { stalledSeconds: 0.2 },
    onClose: resolve,
    chunks: async function* () {
      for (;;) yield chunk;
    },
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, agent: false });
  // What arrived is never read, so the client does not see its end.
  t.after(() => sent.destroy());
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  await promise;
  assert.equal(server.closed(), 1);
});
