import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import { behindProxy, refusedByProxies } from '../../harness/server/client-address.ts';
import { assertTextError, pdnsServer, sharedPdnsServers, unlimited } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

for (const path of [
  'lookup/name/x',
  'lookup',
  'lookup/',
  'lookup/rrset',
  'lookup/rrset/name',
  'lookup/rrset/name/',
  'summarize/rdata',
  'regex/rrnames',
  'glob',
]) {
  test(`PE-01 the incomplete path ${path} returns 400, and 403 without a key`, async () => {
    const server = await sharedServer();
    assertTextError(await server.call(`GET /pdns/v2/${path}`, { key: server.key }), 400);
    assertTextError(await server.call(`GET /pdns/v2/${path}`), 403);
  });
}

for (const path of [
  'lookup/rrset/foo/x',
  'lookup/foo/name/x',
  'lookup/rdata/bar/x',
  'summarize/rrset/ip/192.0.2.1',
  'lookup/rrset/name/x/A/com/more',
  'lookup/rdata/name/x/A/com',
  'regex/names/x',
]) {
  test(`PE-02 the unrecognized component in ${path} returns 400`, async () => {
    const server = await sharedServer();
    assertTextError(await server.call(`GET /pdns/v2/${path}`, { key: server.key }), 400);
  });
}

test('PE-07 an unrecognized or missing top-level component returns 404', async () => {
  const server = await sharedServer();
  const { key } = server;
  for (const path of [
    '/pdns/v2/foo',
    '/pdns/v2/lookups/rrset/name/x',
    '/pdns/v2/',
    '/pdns/v3/lookup/rrset/name/x',
    '/pdns/lookup/rrset/name/x',
  ]) {
    assertTextError(await server.call(`GET ${path}`, { key }), 404);
  }
  assertTextError(await server.call('POST /pdns/v2/lookup/rrset/name/x', { key }), 404);
});

test('PE-03 PE-04 PE-05 PE-06 the key is checked before the query', async () => {
  const server = await sharedServer();
  const route = 'GET /pdns/v2/lookup/nonsense?limit=nonsense';
  const headers = { accept: 'nonsense' };
  const first = await server.user({ pdns: { ...unlimited, apiVersions: [1] } });
  const none = await server.user({ pdns: null });
  const elsewhere = await server.user({ pdns: { ...unlimited, allowedAddresses: ['192.0.2.1'] } });
  assertTextError(await server.call(route, { headers }), 403);
  assertTextError(await server.call(route, { headers, key: 'nobody' }), 403);
  assertTextError(await server.call(route, { headers, key: first.key }), 401);
  assertTextError(await server.call(route, { headers, key: none.key }), 401);
  assertTextError(await server.call(route, { headers, key: elsewhere.key }), 403);
  assertTextError(await server.call(route, { headers, key: elsewhere.key, from: '192.0.2.1' }), 400);
  const basic = { authorization: `Basic ${Buffer.from(`x:${server.key}`).toString('base64')}` };
  assertTextError(await server.call(route, { headers: basic }), 403);
});

test('PE-08 an Accept without a supported type returns 415, checked after the query and before the offset', async () => {
  const server = await sharedServer([], { pdns: { ...unlimited, offsetMax: 5 } });
  const { key } = server;
  for (const accept of [
    'text/html',
    'application/json',
    'application/xml',
    'application/x-ndjson;q=0',
    'x',
  ]) {
    const headers = { accept };
    assertTextError(await server.call('GET /pdns/v2/lookup/rrset/name/x?offset=9', { key, headers }), 415);
    assertTextError(await server.call('GET /pdns/v2/lookup/rrset/name/x?limit=x', { key, headers }), 400);
  }
});

test('PE-09 PE-11 an offset greater than offset_max returns 416 and says so; one equal to it is accepted', async () => {
  const server = await sharedServer([], { pdns: { ...unlimited, offsetMax: 5 } });
  const { key } = server;
  for (const path of ['lookup/rrset/name/x', 'glob/rrnames/x']) {
    assert.equal((await server.call(`GET /pdns/v2/${path}?offset=5`, { key })).status, 200);
    for (const offset of ['6', '99999999999999999999999']) {
      const answer = await server.call(`GET /pdns/v2/${path}?offset=${offset}`, { key });
      assertTextError(
        answer,
        416,
        /^Error: offset value greater than maximum allowed.*exceeds the allowed maximum/,
      );
    }
  }
});

test('PE-10 PE-11 an offset given by a key that may not use it returns 416', async () => {
  const server = await sharedServer([], { pdns: { ...unlimited, offsetMax: 'none' } });
  const { key } = server;
  for (const offset of [0, 1]) {
    const answer = await server.call(`GET /pdns/v2/lookup/rrset/name/x?offset=${offset}`, { key });
    assertTextError(answer, 416, /offset value .*exceeds the allowed maximum/);
  }
  assert.equal((await server.call('GET /pdns/v2/lookup/rrset/name/x', { key })).status, 200);
});

test('PE-12 the text of a 429 says that the rate limit is exceeded, and Retry-After when to retry', async (t) => {
  const quota = { type: 'time', limit: 1, period: 86_400 } as const;
  const server = await pdnsServer(t, [], { pdns: { ...unlimited, quota } });
  const { key } = server;
  const route = 'GET /pdns/v2/lookup/rrset/name/x';
  assert.equal((await server.call(route, { key })).status, 200);
  const answer = await server.call(route, { key });
  assertTextError(answer, 429, /^Error: Rate limit exceeded$/m);
  assert.equal(
    answer.headers['retry-after'],
    String((Date.parse('2026-03-05T00:00:00Z') - server.clock.now()) / 1000),
  );
});

for (const accept of ['application/x-ndjson', 'text/csv', '*/*']) {
  test(`PE-13 a failure of the store before the first row returns 500 with text/html for Accept ${accept}`, async (t) => {
    const failing = () => ({
      scan: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.reject(new Error('the disk said /var/secret')),
        }),
      }),
      scanText: () => {
        throw new Error('must not be queried');
      },
    });
    const server = await pdnsServer(t, [], { rrsets: failing });
    const answer = await server.call('GET /pdns/v2/lookup/rrset/name/x', {
      key: server.key,
      headers: { accept },
    });
    assert.equal(answer.status, 500);
    assert.match(String(answer.headers['content-type']), /^text\/html\b/);
    assert.doesNotMatch(answer.text, /disk|secret/);
    assert.match(server.log(), /the disk said/);
    assert.ok(server.log().includes(String(answer.headers['x-request-id'])));
  });
}

for (const path of ['%', '%zz', '%C3', 'a%2', '%FF.example', '%u0041']) {
  const skip = /%(?![0-9a-f]{2})/i.test(path) && behindProxy(refusedByProxies);
  test(`PE-18 PE-20 PE-21 the broken encoding in ${path} returns 400 as text`, { skip }, async (t) => {
    const server = await pdnsServer(t);
    const key = { 'X-API-Key': server.key };
    for (const mount of [
      '/pdns/v2/lookup/rrset/name/',
      '/lookup/rrset/name/',
      '/pdns/query/',
      '/pdns/v2/glob/rrnames/',
    ]) {
      const { status, text } = await callOverSocket(server, mount + path, key);
      assert.equal(status, 400, mount);
      assert.match(text, /^Error: \S[^\n]*\n$/);
    }
  });
}

for (const [query, name] of [
  ['limit=-1', /limit/],
  ['limit=ten', /limit/],
  ['limit=', /limit/],
  ['limit=1.5', /limit/],
  ['offset=-1', /offset/],
  ['offset=x', /offset/],
  ['time_first_before=x', /time_first_before/],
  ['time_first_after=1.5', /time_first_after/],
  ['time_last_before=', /time_last_before/],
  ['time_last_after=2026-01-01', /time_last_after/],
  ['aggr=maybe', /aggr/],
  ['min_count=-2', /min_count/],
  ['format=pdf', /format/],
  ['limit=1&limit=2', /limit/],
] as const) {
  test(`PE-21 ${query} returns 400 and names the parameter`, async () => {
    const server = await sharedServer();
    assertTextError(
      await server.call(`GET /pdns/v2/lookup/rrset/name/x?${query}`, { key: server.key }),
      400,
      name,
    );
  });
}

test('PE-21 an odd number of hex digits returns 400', async () => {
  const server = await sharedServer();
  const { key } = server;
  for (const path of [
    'lookup/rrset/raw/037',
    'lookup/rdata/raw/abc',
    'summarize/rdata/raw/0',
    'lookup/rdata/raw/xy',
  ]) {
    assertTextError(await server.call(`GET /pdns/v2/${path}`, { key }), 400, /hex/);
  }
});

test('the log of a refused query has its problem, and the response text is one line', async (t) => {
  const server = await pdnsServer(t);
  const answer = await server.call('GET /pdns/v2/lookup/rrset/name/x/%0AEvil%0A', { key: server.key });
  assertTextError(answer, 400);
  assert.match(server.log(), /"problem":"invalid-parameters"/);
});
