import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PdnsGrant } from '../../../src/model/account/account.ts';
import type { Answer } from '../../harness/server/test-server.ts';
import { onEngines } from '../../harness/server/test-stores.ts';
import {
  assertTextError,
  block,
  daily,
  expiresSeconds,
  type PdnsServer,
  pdnsServer,
  remaining,
  sharedPdnsServers,
  unlimited,
  unrestricted,
} from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const lookup = 'GET /pdns/v2/lookup/rrset/name/example.com';
const nextMidnight = Date.parse('2026-03-05T00:00:00Z') / 1000;

const small = (limit: number, period: number | 'month' = 86_400): PdnsGrant => ({
  ...unrestricted,
  quota: { type: 'time', limit, period },
});

async function statuses(server: PdnsServer, key: string, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let number = 0; number < times; number += 1) found.push((await server.call(lookup, { key })).status);
  return found;
}

function rateHeaders({ headers }: Answer) {
  return ['limit', 'remaining', 'reset', 'expires'].map((name) => headers[`x-ratelimit-${name}`]);
}

test('PQ-05 PQ-06 a limit above results_max is silently capped', async () => {
  const seen = Array.from({ length: 6 }, (_, index) => ({ rrname: `n${index}.example` }));
  const server = await sharedServer(seen, { pdns: { ...unlimited, resultsMax: 4 } });
  for (const query of ['', '?limit=5', '?limit=4', '?limit=0', '?limit=1000000']) {
    const { objs, last } = await server.query(`lookup/rrset/name/*.example${query}`);
    assert.deepEqual([objs.length, last['cond']], [4, 'limited']);
  }
  assert.equal((await server.query('lookup/rrset/name/*.example?limit=3')).objs.length, 3);
  assert.equal((await server.query('summarize/rrset/name/*.example')).objs[0]?.['num_results'], 4);
});

test('PQ-09 a key without a burst quota has only its primary quota', async () => {
  const server = await sharedServer([], { pdns: small(30) });
  assert.deepEqual(new Set(await statuses(server, server.key, 30)), new Set([200]));
  assert.deepEqual(await statuses(server, server.key, 1), [429]);
});

test('PQ-13 PQ-14 PQ-15 a lookup, a summary and a flexible search cost one each, with or without results, in both versions', async () => {
  const server = await sharedServer([], { pdns: daily });
  let left = 1000;
  for (const path of [
    '/pdns/v2/lookup/rrset/name/example.com',
    '/pdns/v2/lookup/rdata/ip/192.0.2.1',
    '/pdns/v2/summarize/rrset/name/example.com',
    '/pdns/v2/regex/rrnames/a',
    '/pdns/v2/glob/rdata/a',
    '/pdns/v2/lookup/rrset/name/example.com?format=csv',
    '/lookup/rrset/name/example.com',
    '/pdns/v1/summarize/rrset/name/example.com',
    '/pdns/query/example.com',
  ]) {
    await server.call(`GET ${path}`, { key: server.key });
    left -= 1;
    assert.equal(await remaining(server, server.key), left, path);
  }
});

test('PQ-15 a request refused with 400, 403, 404, 415 or 416 costs nothing', async () => {
  const pdns = { ...daily, offsetMax: 5, allowedAddresses: ['127.0.0.1'] };
  const server = await sharedServer([], { pdns });
  const { key } = server;
  for (const [status, route, options] of [
    [400, '/pdns/v2/lookup/name/x', {}],
    [400, '/pdns/v2/lookup/rrset/name/x?limit=-1', {}],
    [400, '/pdns/v2/lookup/rrset/name/x/FOO', {}],
    [400, '/pdns/v2/regex/rrnames/(', {}],
    [403, '/pdns/v2/lookup/rrset/name/x', { from: '192.0.2.1' }],
    [404, '/pdns/v2/foo/rrset/name/x', {}],
    [415, '/pdns/v2/lookup/rrset/name/x', { headers: { accept: 'image/png' } }],
    [416, '/pdns/v2/lookup/rrset/name/x?offset=6', {}],
  ] as const) {
    assert.equal((await server.call(`GET ${route}`, { key, ...options })).status, status, route);
  }
  assert.equal(await remaining(server, key), 1000);
});

test('PQ-16 PQ-18 an exhausted daily quota is refilled at 00:00 UTC', async (t) => {
  const server = await pdnsServer(t, [], { pdns: small(2) });
  const { key, clock } = server;
  assert.deepEqual(await statuses(server, key, 3), [200, 200, 429]);
  clock.set('2026-03-04T23:59:59.999Z');
  assert.deepEqual(await statuses(server, key, 1), [429]);
  clock.set('2026-03-05T00:00:00Z');
  assert.equal(await remaining(server, key), 2);
  assert.deepEqual(await statuses(server, key, 3), [200, 200, 429]);
});

test('PQ-17 a quota of another period resets at the end of that period', async (t) => {
  const server = await pdnsServer(t, [], { pdns: small(1, 600) });
  const monthly = await server.user({ pdns: small(1, 'month') });
  const { key, clock } = server;
  assert.deepEqual(await statuses(server, key, 2), [200, 429]);
  assert.deepEqual(await statuses(server, monthly.key, 2), [200, 429]);
  clock.set('2026-03-04T10:19:59Z');
  assert.deepEqual(await statuses(server, key, 1), [429]);
  clock.set('2026-03-04T10:20:00Z');
  assert.deepEqual(await statuses(server, key, 2), [200, 429]);
  clock.set('2026-03-31T23:59:59Z');
  assert.deepEqual(await statuses(server, monthly.key, 1), [429]);
  clock.set('2026-04-01T00:00:00Z');
  assert.deepEqual(await statuses(server, monthly.key, 2), [200, 429]);
});

test('PQ-19 an exhausted block returns 429, and time does not refill it', async (t) => {
  const pdns: PdnsGrant = {
    ...unrestricted,
    quota: { type: 'block', limit: 2, expiresMs: expiresSeconds * 1000 },
  };
  const server = await pdnsServer(t, [], { pdns });
  assert.deepEqual(await statuses(server, server.key, 3), [200, 200, 429]);
  server.clock.set('2029-01-01T00:00:00Z');
  assert.deepEqual(await statuses(server, server.key, 1), [429]);
  const answer = await server.call(lookup, { key: server.key });
  assert.equal(answer.headers['retry-after'], undefined);
});

test('PQ-20 a lookup with an expired block returns 401 and says so, exhausted or not', async (t) => {
  const server = await pdnsServer(t, [], { pdns: block });
  server.clock.set(new Date(expiresSeconds * 1000 - 1).toISOString());
  assert.deepEqual(await statuses(server, server.key, 1), [200]);
  server.clock.set(new Date(expiresSeconds * 1000).toISOString());
  assertTextError(await server.call(lookup, { key: server.key }), 401, /^Error: Quota is expired$/m);
});

test('PQ-21 quotas are counted for each key: another key’s use changes nothing', async () => {
  const server = await sharedServer([], { pdns: daily });
  const other = await server.user({ pdns: block });
  await statuses(server, server.key, 5);
  assert.equal(await remaining(server, server.key), 995);
  assert.equal(await remaining(server, other.key), 600);
  await statuses(server, other.key, 3);
  assert.equal(await remaining(server, server.key), 995);
  assert.equal(await remaining(server, other.key), 597);
});

test('PQ-22 an unlimited key is always answered', async () => {
  const server = await sharedServer();
  assert.deepEqual(new Set(await statuses(server, server.key, 300)), new Set([200]));
});

test('PQ-23 more than burst_size lookups within the window return 429; after its end they are answered again', async (t) => {
  const pdns = { ...unlimited, burst: { size: 3, windowSeconds: 60 } };
  const server = await pdnsServer(t, [], { pdns });
  assert.deepEqual(await statuses(server, server.key, 4), [200, 200, 200, 429]);
  const answer = await server.call(lookup, { key: server.key });
  assert.equal(answer.headers['retry-after'], '60');
  server.clock.advanceSeconds(59);
  assert.deepEqual(await statuses(server, server.key, 1), [429]);
  server.clock.advanceSeconds(1);
  assert.deepEqual(await statuses(server, server.key, 4), [200, 200, 200, 429]);
});

test('PQ-23 a lookup refused by the burst quota does not use the primary quota', async () => {
  const server = await sharedServer([], { pdns: { ...daily, burst: { size: 1, windowSeconds: 60 } } });
  assert.deepEqual(await statuses(server, server.key, 5), [200, 429, 429, 429, 429]);
  assert.equal(await remaining(server, server.key), 999);
});

test('PQ-24 PQ-26 of concurrent lookups exactly as many as remain are answered, each with a distinct remainder', async () => {
  const server = await sharedServer([], { pdns: small(20) });
  const answers = await Promise.all(
    Array.from({ length: 32 }, () => server.call(lookup, { key: server.key })),
  );
  const granted = answers.filter(({ status }) => status === 200);
  assert.equal(granted.length, 20);
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  const remainders = granted.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  assert.deepEqual(
    remainders.sort((left, right) => left - right),
    Array.from({ length: 20 }, (_, index) => index),
  );
});

test('PQ-25 PQ-26 data responses of a time-based key have its numbers, including this lookup', async () => {
  const server = await sharedServer([{ rrname: 'example.com' }], { pdns: daily });
  for (const [index, route] of [
    lookup,
    'GET /pdns/v2/summarize/rrset/name/example.com',
    'GET /pdns/v2/glob/rrnames/*',
    'GET /lookup/rrset/name/example.com',
    'GET /pdns/query/example.com',
    `${lookup}?format=csv`,
  ].entries()) {
    const answer = await server.call(route, { key: server.key });
    assert.equal(answer.status, 200, route);
    assert.deepEqual(rateHeaders(answer), ['1000', String(999 - index), String(nextMidnight), undefined]);
    assert.equal(await remaining(server, server.key), 999 - index);
  }
});

test('PQ-27 data responses of a block key have Limit, Remaining and Expires as numbers, and Reset n/a', async () => {
  const server = await sharedServer([], { pdns: block });
  const answer = await server.call(lookup, { key: server.key });
  assert.deepEqual(rateHeaders(answer), ['600', '599', 'n/a', String(expiresSeconds)]);
});

test('PQ-28 data responses of an unlimited key have unlimited, n/a, n/a, and no Expires, also with a burst quota', async () => {
  const server = await sharedServer();
  const bound = await server.user({ pdns: { ...unlimited, burst: { size: 5, windowSeconds: 60 } } });
  for (const key of [server.key, bound.key]) {
    const answer = await server.call(lookup, { key });
    assert.deepEqual(rateHeaders(answer), ['unlimited', 'n/a', 'n/a', undefined]);
  }
});

const alone = onEngines('closing this store alone does not close its database');

test('a key without any limit does not touch the counters', { skip: alone }, async (t) => {
  const server = await pdnsServer(t);
  await server.usage.close();
  assert.deepEqual(await statuses(server, server.key, 3), [200, 200, 200]);
});
