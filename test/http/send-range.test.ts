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

type Pieces = (from: number, to: number) => AsyncIterable<Uint8Array>;

async function* inPieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const piecesOf: Pieces = (from, to) => inPieces(Buffer.from(text).subarray(from, to));

/** A server whose every answer is one download, and how many were closed. */
function serverOf(
  t: TestContext,
  options: { pieces?: Pieces; bytes?: number; download?: Partial<Download>; onClose?: () => void } = {},
) {
  const app = Fastify({ exposeHeadRoutes: false });
  t.after(() => app.close());
  decorateRequests(app);
  let closed = 0;
  app.route({
    method: ['GET', 'HEAD', 'POST'],
    url: '/',
    handler: async (asked, reply) => {
      const content = {
        bytes: options.bytes ?? text.length,
        read: options.pieces ?? piecesOf,
        close: async () => {
          closed += 1;
          options.onClose?.();
        },
      };
      return sendRange(asked, reply, content, { ...download, ...options.download });
    },
  });
  const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    app.inject({ method, url: '/', headers });
  return { app, get, closed: () => closed };
}

test('a download has type, name, length, tag and says that it can be resumed', async (t) => {
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

test('any range gives those bytes with 206, or all with 200, or none with 416', async (t) => {
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

test('a range on condition of the tag is given; with another tag, or a date, everything is', async (t) => {
  const { get } = serverOf(t);
  const of = (condition: string) => get({ range: 'bytes=5-', 'if-range': condition });
  assert.deepEqual([(await of('"1-0-29"')).statusCode, (await of('"1-0-29"')).payload], [206, text.slice(5)]);
  for (const condition of ['"1-9-29"', 'W/"1-0-29"', 'Wed, 28 Jan 2026 12:00:00 GMT']) {
    const { statusCode, payload } = await of(condition);
    assert.deepEqual([statusCode, payload], [200, text]);
  }
});

test('HEAD has the headers of GET, with a range as well, and reads nothing', async (t) => {
  const { get, closed } = serverOf(t, {
    pieces: () => assert.fail('nothing is to be read'),
  });
  const whole = await get({}, 'HEAD');
  assert.deepEqual([whole.statusCode, whole.payload, whole.headers['content-length']], [200, '', '29']);
  const part = await get({ range: 'bytes=9-' }, 'HEAD');
  assert.deepEqual(
    [part.statusCode, part.headers['content-length'], part.headers['content-range']],
    [206, '20', 'bytes 9-28/29'],
  );
  const packed = await get({ 'accept-encoding': 'gzip' }, 'HEAD');
  assert.deepEqual(
    [packed.headers['content-encoding'], packed.headers['content-length']],
    ['gzip', undefined],
  );
  assert.equal(closed(), 3);
});

test('what is packed already is not packed again', async (t) => {
  const asked = { 'accept-encoding': 'gzip' };
  assert.equal(gunzipSync((await serverOf(t).get(asked)).rawPayload).toString(), text);
  const plain = await serverOf(t, { download: { gzip: false } }).get({ ...asked, range: 'bytes=0-3' });
  assert.deepEqual(
    [plain.statusCode, plain.payload, plain.headers['content-encoding']],
    [206, 'line', undefined],
  );
});

test('an answer whose pieces fail is broken off, and the content closed', async (t) => {
  const server = serverOf(t, {
    pieces: async function* () {
      yield Buffer.from('line');
      throw new Error('the disk is gone');
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

test('a client that leaves in the middle has the content closed', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bytes = 1e9;
  const piece = Buffer.alloc(65_536, 'x');
  let given = 0;
  const server = serverOf(t, {
    bytes,
    onClose: resolve,
    pieces: async function* () {
      for (; given < bytes; given += piece.length) yield piece;
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
  assert.ok(given < bytes / 2, 'no more was read than the client took');
});

test('a client that takes nothing is cut off after the time that is told, and the content closed', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const piece = Buffer.alloc(65_536, 'x');
  const server = serverOf(t, {
    bytes: 1e9,
    download: { stalledSeconds: 0.2 },
    onClose: resolve,
    pieces: async function* () {
      for (;;) yield piece;
    },
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  await promise;
  assert.equal(server.closed(), 1);
});
