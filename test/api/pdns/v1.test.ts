import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { testProxy } from '../../harness/server/client-address.ts';
import { assertTextError, linesOf, sharedPdnsServers, unlimited } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen: Seen[] = [
  { rrname: 'www.example.com', rdata: ['192.0.2.1', '192.0.2.2'], bailiwick: 'example.com', count: 3 },
  { rrname: 'example.com', rrtype: 'MX', rdata: '10 mail.example.com' },
];
const mounts = ['', '/pdns/v1'];

for (const mount of mounts) {
  test(`PDNS-46 ${mount}/lookup returns 404 where there are no results, and version 2 returns 200`, async () => {
    const server = await sharedServer(seen);
    const { key } = server;
    for (const path of ['lookup/rrset/name/none.example', 'summarize/rrset/name/none.example']) {
      const answer = await server.call(`GET ${mount}/${path}`, { key });
      assertTextError(answer, 404);
      assert.equal(answer.text, 'Error: no results found for query.\n');
      assert.equal(answer.headers['x-ratelimit-limit'], 'unlimited');
      assert.equal((await server.call(`GET /pdns/v2/${path}`, { key })).status, 200);
    }
  });

  test(`PDNS-47 ${mount}/lookup answers plain record lines, with the data of inverse lookups as a string`, async () => {
    const server = await sharedServer(seen);
    const headers = { accept: 'application/json' };
    const forward = await server.call(`GET ${mount}/lookup/rrset/name/www.example.com`, {
      key: server.key,
      headers,
    });
    assert.equal(forward.headers['content-type'], 'application/json');
    assert.equal(
      forward.text,
      '{"count":3,"time_first":1700000000,"time_last":1700000000,"rrname":"www.example.com.","rrtype":"A","bailiwick":"example.com.","rdata":["192.0.2.1","192.0.2.2"]}\n',
    );
    const inverse = await server.call(`GET ${mount}/lookup/rdata/name/mail.example.com`, { key: server.key });
    assert.deepEqual(linesOf(inverse.text), [
      {
        count: 1,
        time_first: 1_700_000_000,
        time_last: 1_700_000_000,
        rrname: 'example.com.',
        rrtype: 'MX',
        rdata: '10 mail.example.com.',
      },
    ]);
    const summary = await server.call(`GET ${mount}/summarize/rrset/name/*.example.com`, { key: server.key });
    assert.deepEqual([summary.status, summary.json.num_results, summary.json.count], [200, 2, 4]);
  });

  test(`PDNS-47 ${mount}/lookup says in a header whether the result was limited`, async () => {
    const server = await sharedServer(seen);
    const { key } = server;
    const whole = await server.call(`GET ${mount}/lookup/rrset/name/*.example.com`, { key });
    assert.deepEqual([linesOf(whole.text).length, whole.headers['x-result']], [2, 'complete']);
    const cut = await server.call(`GET ${mount}/lookup/rrset/name/*.example.com?limit=1`, { key });
    assert.deepEqual([linesOf(cut.text).length, cut.headers['x-result']], [1, 'limited']);
    const cursor = cut.headers['x-cursor'];
    const rest = await server.call(`GET ${mount}/lookup/rrset/name/*.example.com?cursor=${cursor}`, { key });
    assert.equal(cut.text + rest.text, whole.text);
  });

  test(`PE-01 PE-02 PE-05 PE-08 PE-18 ${mount}/lookup refuses requests as version 2 does`, async () => {
    const server = await sharedServer(seen);
    const { key } = server;
    for (const path of [
      'lookup',
      'lookup/',
      'lookup/name/x',
      'lookup/rrset/foo/x',
      'summarize',
      'summarize/rrset',
    ]) {
      assertTextError(await server.call(`GET ${mount}/${path}`, { key }), 400);
      assertTextError(await server.call(`GET ${mount}/${path}`), 403);
    }
    const headers = { accept: 'text/html' };
    assertTextError(await server.call(`GET ${mount}/lookup/rrset/name/a`, { key, headers }), 415);
    assertTextError(await server.call(`POST ${mount}/lookup/rrset/name/a`, { key }), 404);
    // Proxies themselves refuse it.
    if (!testProxy) assertTextError(await server.call(`GET ${mount}/lookup/rrset/name/%zz`, { key }), 400);
  });

  test(`PQ-11 ${mount}/lookup/rate_limit answers for a key of version 1, and costs nothing`, async () => {
    const server = await sharedServer(seen, { pdns: { ...unlimited, apiVersions: [1] } });
    const { key } = server;
    for (const accept of ['application/json', '*/*']) {
      const answer = await server.call(`GET ${mount}/lookup/rate_limit`, { key, headers: { accept } });
      assert.equal(answer.status, 200);
      assert.equal(answer.json.rate.limit, 'unlimited');
    }
    assert.equal(
      (await server.call(`POST ${mount}/lookup/rate_limit`, { key })).json.rate.limit,
      'unlimited',
    );
  });
}

test('PE-03 a key for one version returns 401 in the other', async () => {
  const server = await sharedServer(seen);
  const first = await server.user({ pdns: { ...unlimited, apiVersions: [1] } });
  const second = await server.user({ pdns: { ...unlimited, apiVersions: [2] } });
  const name = 'lookup/rrset/name/www.example.com';
  assert.equal((await server.call(`GET /${name}`, { key: first.key })).status, 200);
  assert.equal((await server.call(`GET /pdns/v2/${name}`, { key: second.key })).status, 200);
  for (const mount of mounts)
    assertTextError(await server.call(`GET ${mount}/${name}`, { key: second.key }), 401);
  assertTextError(await server.call(`GET /pdns/v2/${name}`, { key: first.key }), 401);
});
