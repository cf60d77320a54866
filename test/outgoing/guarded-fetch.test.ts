import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { guardedFetch } from '../../src/outgoing/guarded-fetch.ts';
import { openReceiver } from '../harness/network/http-receiver.ts';

const bounds = { timeoutMs: 5000, bytesMax: 1000 };
const allowing = (...allow: string[]) =>
  guardedFetch(createDialer({ settings: { outgoing: { allow } } }), bounds);

test('a form is posted and its answer read, with status and headers', async (t) => {
  const receiver = await openReceiver(t, {
    answer: (_, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=b', 'c=d'] });
      response.end('{"x":1}');
    },
  });
  const body = new URLSearchParams({ grant: 'code' });
  const response = await allowing('127.0.0.1')(receiver.url, {
    method: 'POST',
    body,
    headers: { accept: 'a/b' },
  });
  assert.deepEqual([response.status, await response.json()], [201, { x: 1 }]);
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.deepEqual(
    [receiver.received[0]?.body, receiver.received[0]?.headers['accept']],
    ['grant=code', 'a/b'],
  );
});

test('an address that is not public is refused unless it is allowed', async (t) => {
  const receiver = await openReceiver(t);
  await assert.rejects(allowing()(receiver.url), { code: 'invalid-parameters' });
  assert.equal(receiver.received.length, 0);
});

test('redirects are not followed, and an answer without a body has none', async (t) => {
  const receiver = await openReceiver(t, {
    answer: ({ path }, response) => {
      response.writeHead(path === '/none' ? 204 : 302, { location: 'http://127.0.0.1:1/' });
      response.end();
    },
  });
  const get = allowing('127.0.0.1');
  assert.equal((await get(receiver.url)).status, 302);
  assert.equal((await get(`${receiver.url}none`)).body, null);
});

test('an answer that is too long, a port of another service and another method are refused', async (t) => {
  const receiver = await openReceiver(t, { answer: (_, response) => void response.end('x'.repeat(1001)) });
  const get = allowing('127.0.0.1');
  await assert.rejects(get(receiver.url), { code: 'unavailable', message: /longer than 1000 bytes/ });
  await assert.rejects(get('http://127.0.0.1:25/'), { code: 'invalid-parameters' });
  await assert.rejects(get(receiver.url, { method: 'DELETE' }), { code: 'invalid-parameters' });
});
