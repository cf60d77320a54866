import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PdnsGrant } from '../../../src/model/account/account.ts';
import { pdnsLimits } from '../../../src/model/account/pdns-limits.ts';
import { sign } from '../../../src/model/account/signature.ts';
import { clientAddress, testProxy } from '../../harness/server/client-address.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  type TestUser,
  testServer,
} from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const rateLimit = 'GET /pdns/v2/rate_limit';
const ping = 'GET /pdns/v2/ping';
const anyone = { allowedAddresses: [], apiVersions: [1, 2] } as const;
const daily: PdnsGrant = { ...anyone, quota: { type: 'time', limit: 1000, period: 86_400 } };
const unlimited: PdnsGrant = { ...anyone, quota: { type: 'unlimited' } };
const expiresSeconds = 1_900_000_000;
const block: PdnsGrant = {
  ...anyone,
  quota: { type: 'block', limit: 600, expiresMs: expiresSeconds * 1000 },
};
const nextMidnight = Date.parse('2026-03-05T00:00:00Z') / 1000;

async function rateOf(server: TestServer, { key }: TestUser, options: CallOptions = {}) {
  const answer = await server.call(rateLimit, { key, ...options });
  assert.equal(answer.status, 200);
  return answer.json.rate;
}

/** Charges as many lookups to the key's quota as it allows. */
async function chargeLookups(
  server: TestServer,
  { caller }: TestUser,
  grant: PdnsGrant,
  times: number,
): Promise<number> {
  let granted = 0;
  for (let number = 1; number <= times; number += 1) {
    const outcome = await server.usage.charge({ limits: pdnsLimits(caller.user, grant) }, server.clock.now());
    if (outcome.granted) granted += 1;
  }
  return granted;
}

function assertTextError(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.match(String(answer.headers['content-type']), /^text\/plain\b/);
  assert.match(answer.text, /^Error: \S[^\n]*\n$/);
}

test('PDNS-01 PQ-10 rate_limit returns 200 with the object rate in one line that ends in a newline', async () => {
  const server = await sharedServer();
  const { key } = await server.user({
    pdns: { ...daily, resultsMax: 5, offsetMax: 7, burst: { size: 10, windowSeconds: 300 } },
  });
  const answer = await server.call(rateLimit, { key });
  assert.equal(answer.status, 200);
  const rate = `{"rate":{"reset":${nextMidnight},"limit":1000,"remaining":1000,"results_max":5,"offset_max":7,"burst_size":10,"burst_window":300}}`;
  assert.equal(answer.text, `${rate}\n`);
});

test('PDNS-03 the header X-API-Key is case-insensitive', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  const { url } = await clientAddress(server.app);
  for (const name of ['X-API-Key', 'x-api-key', 'X-Api-Key', 'X-API-KEY']) {
    assert.equal((await fetch(`${url}/pdns/v2/rate_limit`, { headers: { [name]: key } })).status, 200);
  }
});

test('PDNS-03 a key in the query string, as Basic or Bearer, or a signature is not read and returns 403', async () => {
  const server = await sharedServer();
  const key = 'valid-but-misplaced';
  const { username } = await server.user({ key });
  const timestamp = new Date(server.clock.now()).toISOString();
  const signature = sign({ username, timestamp, path: '/pdns/v2/rate_limit' }, key);
  for (const query of [
    `api_username=${username}&api_key=${key}`,
    `X-API-Key=${key}`,
    `apikey=${key}`,
    `api_username=${username}&timestamp=${timestamp}&signature=${signature}`,
  ]) {
    assertTextError(await server.call(`${rateLimit}?${query}`), 403);
  }
  const basic = `Basic ${Buffer.from(`${username}:${key}`).toString('base64')}`;
  for (const authorization of [basic, `Bearer ${key}`]) {
    assertTextError(await server.call(rateLimit, { headers: { authorization } }), 403);
  }
});

test('PDNS-45 ping returns {"ping":"ok"} with any key or none and costs nothing', async () => {
  const server = await sharedServer();
  const users = [await server.user({ pdns: daily }), await server.user({ pdns: null })] as const;
  for (const key of [undefined, 'nobody', ...users.map((user) => user.key)]) {
    const answer = await server.call(ping, key === undefined ? {} : { key });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{"ping":"ok"}\n');
  }
  assert.equal((await rateOf(server, users[0])).remaining, 1000);
});

test('PQ-01 PQ-02 PQ-03 PQ-04 a time-based key has numbers, the next reset, and no expires', async () => {
  const server = await sharedServer();
  const user = await server.user({ pdns: daily });
  const rate = await rateOf(server, user);
  assert.deepEqual([rate.limit, rate.remaining, rate.reset], [1000, 1000, nextMidnight]);
  assert.ok(!('expires' in rate));
});

test('PQ-01 PQ-02 PQ-03 PQ-04 a block-based key has its block, reset n/a, and expires', async () => {
  const server = await sharedServer();
  const rate = await rateOf(server, await server.user({ pdns: block }));
  assert.deepEqual([rate.limit, rate.remaining, rate.reset, rate.expires], [600, 600, 'n/a', expiresSeconds]);
});

test('PQ-01 PQ-02 PQ-03 PQ-04 an unlimited key has unlimited, n/a, n/a, and no expires', async () => {
  const server = await sharedServer();
  const rate = await rateOf(server, await server.user({ pdns: unlimited }));
  assert.deepEqual([rate.limit, rate.remaining, rate.reset], ['unlimited', 'n/a', 'n/a']);
  assert.ok(!('expires' in rate));
});

for (const [kind, grant, limit] of [
  ['time-based', daily, 1000],
  ['block-based', block, 600],
] as const) {
  test(`PQ-02 remaining of a ${kind} key is what its lookups have left, never below 0`, async () => {
    const server = await sharedServer();
    const [user, other] = [await server.user({ pdns: grant }), await server.user({ pdns: grant })];
    assert.equal(await chargeLookups(server, user, grant, 3), 3);
    assert.equal((await rateOf(server, user)).remaining, limit - 3);
    assert.equal((await rateOf(server, user)).limit, limit);
    assert.equal(await chargeLookups(server, user, grant, limit), limit - 3);
    assert.equal((await rateOf(server, user)).remaining, 0);
    assert.equal((await rateOf(server, other)).remaining, limit);
    server.clock.set('2026-03-05T00:00:00Z');
    assert.equal((await rateOf(server, user)).remaining, grant === daily ? limit : 0);
  });
}

test('PQ-03 reset moves on with the period: a day, an hour, a month', async () => {
  const server = await sharedServer();
  server.clock.set('2026-03-04T23:59:59.999Z');
  const resets: unknown[] = [];
  for (const period of [86_400, 3600, 'month'] as const) {
    const user = await server.user({ pdns: { ...anyone, quota: { type: 'time', limit: 5, period } } });
    resets.push((await rateOf(server, user)).reset);
  }
  const seconds = (instant: string) => Date.parse(instant) / 1000;
  assert.deepEqual(resets, [nextMidnight, nextMidnight, seconds('2026-04-01T00:00:00Z')]);
  server.clock.set('2026-03-05T00:00:00Z');
  const user = await server.user({ pdns: daily });
  assert.equal((await rateOf(server, user)).reset, seconds('2026-03-06T00:00:00Z'));
});

test('PQ-05 PQ-07 results_max and offset_max are those of the key, or else of the configuration', async () => {
  const server = await sharedServer({ settings: { 'pdns.resultsMax': '99', 'pdns.offsetMax': '11' } });
  const own = await rateOf(server, await server.user({ pdns: { ...daily, resultsMax: 256, offsetMax: 0 } }));
  assert.deepEqual([own.results_max, own.offset_max], [256, 0]);
  const general = await rateOf(server, await server.user({ pdns: daily }));
  assert.deepEqual([general.results_max, general.offset_max], [99, 11]);
});

test('PQ-07 offset_max is n/a for a key that may not use offset', async () => {
  const server = await sharedServer();
  const rate = await rateOf(server, await server.user({ pdns: { ...daily, offsetMax: 'none' } }));
  assert.equal(rate.offset_max, 'n/a');
});

test('PQ-08 burst_size and burst_window are integers, both present or both absent', async () => {
  const server = await sharedServer();
  const burst = { size: 10, windowSeconds: 300 };
  for (const grant of [daily, block, unlimited]) {
    const bound = await rateOf(server, await server.user({ pdns: { ...grant, burst } }));
    assert.deepEqual([bound.burst_size, bound.burst_window], [10, 300]);
    const free = await rateOf(server, await server.user({ pdns: grant }));
    assert.ok(!('burst_size' in free) && !('burst_window' in free));
  }
});

test('PQ-11 rate_limit costs nothing', async () => {
  const server = await sharedServer();
  for (const pdns of [daily, block, { ...daily, burst: { size: 1, windowSeconds: 60 } }]) {
    const user = await server.user({ pdns });
    const first = await rateOf(server, user);
    for (let number = 1; number <= 20; number += 1) assert.deepEqual(await rateOf(server, user), first);
  }
});

for (const [accept, type] of [
  ['application/json', 'application/json'],
  ['application/x-ndjson', 'application/x-ndjson'],
  ['text/html, application/json;q=0.9', 'application/json'],
  ['*/*', 'application/x-ndjson'],
] as const) {
  test(`PQ-12 rate_limit and ping accept Accept: ${accept}`, async () => {
    const server = await sharedServer();
    const { key } = await server.user();
    for (const route of [rateLimit, ping]) {
      const answer = await server.call(route, { key, headers: { accept } });
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, type]);
    }
  });
}

test('PQ-20 a block quota past its expiration returns 401 and says that the quota is expired', async () => {
  const server = await sharedServer();
  const user = await server.user({ pdns: block });
  server.clock.set(new Date(expiresSeconds * 1000 - 1).toISOString());
  assert.equal((await rateOf(server, user)).remaining, 600);
  server.clock.set(new Date(expiresSeconds * 1000).toISOString());
  const answer = await server.call(rateLimit, { key: user.key });
  assertTextError(answer, 401);
  assert.match(answer.text, /quota is expired/i);
});

test('PQ-22 an unlimited key is never refused by the primary quota', async () => {
  const server = await sharedServer();
  const user = await server.user({ pdns: unlimited });
  assert.equal(await chargeLookups(server, user, unlimited, 1500), 1500);
  assert.equal((await rateOf(server, user)).remaining, 'n/a');
});

test('PQ-29 a key that an administrator creates over HTTP is not authorized for passive DNS', async (t) => {
  const server = await testServer(t);
  const admin = await server.user({ permissions: ['admin'], pdns: daily });
  const body = { username: 'made', pdns: daily };
  const made = await server.call('POST /v1/account/keys/', { key: admin.key, body });
  assert.equal(made.status, 200);
  const key: string = made.json.response.api_key;
  assertTextError(await server.call(rateLimit, { key }), 401);
  assert.equal((await server.call('GET /v1/account/', { key })).status, 200);
});

test('PE-03 a key that may not query version 2 returns 401', async () => {
  const server = await sharedServer();
  for (const [apiVersions, status] of [
    [[1], 401],
    [[2], 200],
    [[], 401],
  ] as const) {
    const { key } = await server.user({ pdns: { ...unlimited, apiVersions } });
    assert.equal((await server.call(rateLimit, { key })).status, status);
  }
});

test('PE-04 a valid key that is not authorized for passive DNS returns 401', async () => {
  const server = await sharedServer();
  const { key } = await server.user({ pdns: null });
  assertTextError(await server.call(rateLimit, { key }), 401);
  assert.equal((await server.call('GET /v1/account/', { key })).status, 200);
});

test('PE-05 a missing or an invalid X-API-Key returns 403', async () => {
  const server = await sharedServer();
  const { key, batchKey } = await server.user();
  assertTextError(await server.call(rateLimit), 403);
  for (const wrong of ['', 'nobody', batchKey, `${key}x`, key.toUpperCase()]) {
    assertTextError(await server.call(rateLimit, { key: wrong }), 403);
  }
});

test('PE-06 a client address that is not authorized for the key returns 403; an authorized one works', async () => {
  const server = await sharedServer();
  const allowedAddresses = ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'];
  const { key } = await server.user({ pdns: { ...unlimited, allowedAddresses } });
  for (const from of ['192.0.2.255', '198.51.100.7', '2001:db8::1', '::ffff:192.0.2.1']) {
    assert.deepEqual([from, (await server.call(rateLimit, { key, from })).status], [from, 200]);
  }
  for (const from of ['192.0.3.1', '198.51.100.8', '2001:db9::1', '::ffff:192.0.3.1', '127.0.0.1']) {
    assertTextError(await server.call(rateLimit, { key, from }), 403);
  }
  const forged = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' };
  assertTextError(await server.call(rateLimit, { key, from: '203.0.113.1', headers: forged }), 403);
});

for (const path of [
  '/pdns',
  '/pdns/',
  '/pdns/v2',
  '/pdns/v2/',
  '/pdns/v2/foo',
  '/pdns/v3/rate_limit',
  '/pdns/rate_limit',
]) {
  test(`PE-07 PE-18 ${path} returns 404 as text, with a key and without`, async () => {
    const server = await sharedServer();
    assertTextError(await server.call(`GET ${path}`), 404);
    assertTextError(await server.call(`GET ${path}`, { key: (await server.user()).key }), 404);
  });
}

test('PE-07 an unrecognized path returns 404 whatever body comes with it', async () => {
  const server = await sharedServer();
  const headers = { 'content-type': 'application/json' };
  assertTextError(await server.call('POST /pdns/v2/foo', { headers, body: '{' }), 404);
});

for (const accept of ['text/html', 'text/plain', 'application/xml, image/*', 'application/ndjson', 'json']) {
  test(`PE-08 Accept: ${accept} names no supported content type: 415`, async () => {
    const server = await sharedServer();
    const { key } = await server.user();
    assertTextError(await server.call(rateLimit, { key, headers: { accept } }), 415);
    assertTextError(await server.call(ping, { headers: { accept } }), 415);
  });
}

for (const accept of ['application/x-ndjson', 'application/json', 'text/plain', '*/*']) {
  test(`PE-13 a processing error returns 500 with text/html for Accept: ${accept}`, async (t) => {
    const server = await testServer(t);
    await server.closeStores();
    const answer = await server.call(rateLimit, { key: 'never seen before', headers: { accept } });
    assert.equal(answer.status, 500);
    assert.match(String(answer.headers['content-type']), /^text\/html\b/);
    assert.doesNotMatch(answer.text, /database|\.ts\b/);
  });
}

test('PE-18 PE-20 API errors other than 500 are text whose first line is the message and starts with "Error: "', async () => {
  const server = await sharedServer();
  const { key } = await server.user({ pdns: null });
  const accept = { accept: 'text/html' };
  const answers: readonly (readonly [number, Answer])[] = [
    // A proxy itself refuses a path that cannot be decoded.
    ...(testProxy ? [] : [[400, await server.call('GET /pdns/%zz')] as const]),
    [401, await server.call(rateLimit, { key, headers: { accept: 'application/json' } })],
    [403, await server.call(rateLimit, { headers: { accept: 'application/json' } })],
    [404, await server.call('GET /pdns/v2/foo', { headers: accept })],
    [404, await server.call('POST /pdns/v2/rate_limit')],
    [415, await server.call(ping, { headers: accept })],
  ];
  for (const [status, answer] of answers) assertTextError(answer, status);
});

for (const path of [
  '/',
  '/foo',
  '/pdnsfoo',
  '/v2/account/',
  '/dnsdb/v2/rate_limit',
  '/lookups',
  '/rate_limit',
]) {
  test(`PE-19 ${path} is outside every API path: 404 with text/html`, async () => {
    const server = await sharedServer();
    const answer = await server.call(`GET ${path}`, { headers: { accept: 'application/json' } });
    assert.equal(answer.status, 404);
    assert.match(String(answer.headers['content-type']), /^text\/html\b/);
  });
}

test('PE-19 a URL outside every API path returns 404 whatever body comes with it', async () => {
  const server = await sharedServer();
  const headers = { 'content-type': 'application/json' };
  assert.equal((await server.call('POST /foo', { headers, body: '{' })).status, 404);
});
