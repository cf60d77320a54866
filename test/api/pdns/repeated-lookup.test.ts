/** The response cache: a repeated query gets the same response unless something has changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framed, pdnsServer, sharedPdnsServers, unlimited } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen = [1, 2, 3].map((last) => ({ rrname: 'www.example.com', rdata: `192.0.2.${last}` }));
const path = 'lookup/rrset/name/www.example.com';

test('a repeated query gets the same response, and counts again', async () => {
  const server = await sharedServer(seen, {
    pdns: { ...unlimited, quota: { type: 'time', limit: 10, period: 86_400 } },
  });
  const first = await server.query(path);
  const second = await server.query(path);
  assert.equal(second.answer.text, first.answer.text);
  assert.equal(first.answer.headers['x-ratelimit-remaining'], '9');
  assert.equal(second.answer.headers['x-ratelimit-remaining'], '8');
});

test('newly observed records are in the next response', async (t) => {
  const server = await pdnsServer(t, seen);
  assert.equal((await server.query(path)).objs.length, 3);
  await server.observe([{ rrname: 'www.example.com', rdata: '192.0.2.4' }]);
  assert.equal((await server.query(path)).objs.length, 4);
  assert.equal((await server.query(path)).objs.length, 4);
});

test('a key with a smaller maximum does not get the cached response of another', async () => {
  const server = await sharedServer(seen);
  const small = await server.user({ pdns: { ...unlimited, resultsMax: 2 } });
  assert.equal((await server.query(path)).objs.length, 3);
  const { objs, last } = framed(await server.call(`GET /pdns/v2/${path}`, { key: small.key }));
  assert.equal(objs.length, 2);
  assert.equal(last['cond'], 'limited');
});

test('each response format is cached separately', async () => {
  const server = await sharedServer(seen);
  const lookup = (accept: string) =>
    server.call(`GET /pdns/v2/${path}`, { key: server.key, headers: { accept } });
  for (const accept of ['application/x-ndjson', 'text/csv', 'application/x-ndjson', 'text/csv']) {
    assert.equal((await lookup(accept)).headers['content-type'], accept);
  }
  const first = await server.call(`GET /${path}`, {
    key: server.key,
    headers: { accept: 'application/json' },
  });
  assert.equal(first.headers['content-type'], 'application/json');
});

test('an unknown key and a key over its quota get no cached response', async () => {
  const server = await sharedServer(seen);
  await server.query(path);
  assert.equal((await server.call(`GET /pdns/v2/${path}`, { key: 'nobody' })).status, 403);
  const empty = await server.user({
    pdns: { ...unlimited, quota: { type: 'time', limit: 1, period: 86_400 } },
  });
  assert.equal((await server.call(`GET /pdns/v2/${path}`, { key: empty.key })).status, 200);
  assert.equal((await server.call(`GET /pdns/v2/${path}`, { key: empty.key })).status, 429);
});

test('a response that depends on the time is not cached', async (t) => {
  const server = await pdnsServer(t, [{ rrname: 'www.example.com', rdata: '192.0.2.1' }]);
  const { objs } = await server.query(path);
  const age = Math.floor(server.clock.now() / 1000) - (objs[0]?.['time_last'] as number);
  const fenced = `${path}?time_last_after=-${age + 100}`;
  assert.equal((await server.query(fenced)).objs.length, 1);
  server.clock.advanceSeconds(1000);
  assert.equal((await server.query(fenced)).objs.length, 0);
});
