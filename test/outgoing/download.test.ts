import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { download } from '../../src/outgoing/download.ts';
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { openReceiver } from '../harness/network/http-receiver.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const dialer = createDialer({ settings: { outgoing: { allow: ['127.0.0.1'] } } });
const { signal } = new AbortController();
const bounds = { bytesMax: 10_000_000, timeoutMs: 10_000, signal };

test('a file is downloaded with its validators, through redirects', async (t) => {
  const bytes = Buffer.alloc(3_000_000, 'nameglass ');
  const receiver = await openReceiver(t, {
    answer: ({ path }, response) => {
      if (path === '/old') response.writeHead(301, { location: '/new' }).end('moved');
      else response.writeHead(200, { etag: 'W/"x"', 'last-modified': 'yesterday' }).end(bytes);
    },
  });
  const path = join(temporaryDirectory(t), 'file');
  const got = await download(dialer, { url: `${receiver.url}old`, path, ...bounds });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual(got, { etag: 'W/"x"', lastModified: 'yesterday', bytes: bytes.length, sha256 });
  assert.ok(readFileSync(path).equals(bytes));
});

test('a download that is too large or too slow is aborted and leaves no file', async (t) => {
  const receiver = await openReceiver(t, {
    answer: async (received, response) => {
      if (received.path === '/slow') return void response.writeHead(200).write('x');
      while (response.writable) await new Promise((written) => response.write('x'.repeat(65_536), written));
    },
  });
  const path = join(temporaryDirectory(t), 'file');
  const request = { path, ...bounds, bytesMax: 1_000_000 };
  await assert.rejects(download(dialer, { ...request, url: receiver.url }), /is larger than 1000000 bytes/);
  const slow = download(dialer, { ...request, url: `${receiver.url}slow`, timeoutMs: 200 });
  await assert.rejects(slow, { code: 'timed-out' });
  assert.ok(!existsSync(path));
});

test('the body of an error response is not read', async (t) => {
  const receiver = await openReceiver(t, {
    answer: async (_, response) => {
      response.writeHead(404);
      while (response.writable) await new Promise((written) => response.write('x'.repeat(65_536), written));
    },
  });
  const path = join(temporaryDirectory(t), 'file');
  await assert.rejects(download(dialer, { url: receiver.url, path, ...bounds }), /responded with status 404/);
});

test('an unchanged file yields undefined, and no partial file is left', async (t) => {
  const receiver = await openReceiver(t, {
    answer: (_, response) => void response.writeHead(304).end(),
  });
  const path = join(temporaryDirectory(t), 'file');
  const known = { etag: '"1"', lastModified: 'yesterday' };
  assert.equal(await download(dialer, { url: receiver.url, path, known, ...bounds }), undefined);
  assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
  const { 'if-none-match': etag, 'if-modified-since': since } = receiver.received[0]?.headers ?? {};
  assert.deepEqual([etag, since], ['"1"', 'yesterday']);
});

test('error messages contain no credentials: the query of a URL is left out', async (t) => {
  const receiver = await openReceiver(t, {
    answer: (_, response) => void response.writeHead(403).end(),
  });
  const { host } = new URL(receiver.url);
  const url = `http://${host}/list.txt?key=s3cret`;
  const path = join(temporaryDirectory(t), 'list');
  const message = await download(dialer, { url, path, ...bounds }).catch((error: Error) => error.message);
  assert.equal(message, `http://${host}/list.txt responded with status 403`);
});
