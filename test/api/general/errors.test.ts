import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Permission } from '../../../src/model/account/permission.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { clientAddress, testProxy } from '../../harness/server/client-address.ts';
import {
  echoedOperations,
  echoOperations,
  getOperation,
  operations,
  routeOf,
  stubOperation,
} from '../../harness/server/echo-operations.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { Answer, TestServer, TestServerOptions } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const writes: readonly string[] = [
  'patchDetectDomains',
  'postDetectEscalations',
  'postDetectMonitor',
  'putDetectMonitor',
];
const detectGets = echoedOperations.filter((id) => getOperation(id).route.startsWith('GET /intel-detect'));
const everything: readonly Permission[] = ['read', 'triage', 'escalate', 'manage'];

/**
 * Settings with limits high enough to call every operation repeatedly; only the limit tests use the contract's
 * numbers.
 */
const roomy = {
  'limits.detect.monitorsQueriesPerHour': '1000000',
  'limits.detect.newDomainsQueriesPerHour': '1000000',
  'limits.detect.watchedDomainsQueriesPerHour': '1000000',
  'limits.detect.escalationsPerMinute': '1000000',
  'limits.feed.queriesPerMinute': '1000000',
  'limits.feed.queriesPerHour': '1000000',
};

function roomyServer(options: TestServerOptions = {}): Promise<TestServer> {
  return sharedServer({ operations: echoOperations, settings: roomy, ...options });
}

function assertStandardBody(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.deepEqual(Object.keys(answer.json), ['error', 'resources']);
  assert.deepEqual(Object.keys(answer.json.error), ['code', 'message']);
  assert.equal(answer.json.error.code, status);
  assert.equal(typeof answer.json.error.message, 'string');
  assert.notEqual(answer.json.error.message, '');
}

function withTerm(id: string): { body?: object } {
  return writes.includes(id) ? { body: { term: 'example' } } : {};
}

test('ERR-01 every operation that succeeds returns 200, creating and deleting included', async () => {
  const server = await roomyServer();
  const { key } = await server.user({ permissions: ['admin'] });
  for (const id of echoedOperations) {
    const answer = await server.call(routeOf(id), { key, ...withTerm(id) });
    assert.equal(answer.status, 200, id);
    assert.equal(answer.json.operation, id);
  }
  const created = await server.call('POST /v1/account/keys/', {
    key,
    headers: json,
    body: '{"username":"new"}',
  });
  assert.equal(created.status, 200);
});

for (const body of [
  '{"term":',
  'term=example',
  '{term: "example"}',
  "{'term':'example'}",
  '{"term":"example"}}',
  '\u0000',
]) {
  test(`ERR-04 the body ${JSON.stringify(body)} on a Detect write returns 400, not 422`, async () => {
    const server = await roomyServer();
    const { key } = await server.user({ permissions: everything });
    for (const id of writes) {
      assertStandardBody(await server.call(routeOf(id), { key, headers: json, body }), 400);
    }
  });
}

test('ERR-04 a body without a content type that is not valid JSON returns 400, not 422', async () => {
  const server = await roomyServer();
  const { key } = await server.user({ permissions: everything });
  for (const id of writes)
    assert.equal((await server.call(routeOf(id), { key, body: '{"term":' })).status, 400, id);
});

for (const [what, query] of [
  ['the wrong type', 'mx_exists=perhaps'],
  ['the wrong type', 'limit=ten'],
  ['the wrong type', 'limit=1.5'],
  ['a value below its range', 'limit=-1'],
  ['a value above its range', 'limit=101'],
  ['an unknown enum value', 'order=sideways'],
  ['an unknown enum value in a list', 'escalation_types[]=blocked&escalation_types[]=burnt'],
  ['two different values', 'order=asc&order=desc'],
] as const) {
  test(`ERR-05 a query parameter with ${what} (${query}) on a Detect GET returns 400`, async () => {
    const server = await roomyServer();
    const { key } = await server.user();
    for (const id of detectGets) {
      assertStandardBody(await server.call(`${routeOf(id)}?${query}`, { key }), 400);
      assert.equal(
        (await server.call(`${routeOf(id)}?limit=100&order=asc&mx_exists=1`, { key })).status,
        200,
      );
    }
  });
}

for (const path of [
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/account/nothing/',
  '/v1/intel-detect/',
  '/v1/feed/',
  '/v1/accounts',
]) {
  test(`ERR-07 the unknown path ${path} returns 404, with a key and without`, async () => {
    const server = await roomyServer();
    const { key } = await server.user();
    assertStandardBody(await server.call(`GET ${path}`, { key }), 404);
    assertStandardBody(await server.call(`GET ${path}`), 404);
  });
}

test('ERR-07 a method that a known path does not support returns 404', async () => {
  const server = await roomyServer();
  const { key } = await server.user({ permissions: ['admin'] });
  // Proxies themselves refuse TRACE.
  const others = ['GET', 'CONNECT', ...(testProxy ? ['TRACE'] : [])];
  for (const method of METHODS.filter((name) => !others.includes(name))) {
    const { status } = await server.call(`${method} /v1/account/`, { key });
    assert.deepEqual([method, status], [method, 404]);
  }
});

test('ERR-08 the archive of a feed that does not exist returns 404', async () => {
  const server = await roomyServer();
  const { key } = await server.user();
  for (const feed of ['nothing', 'toString', '__proto__', 'nod%2F', 'NOD']) {
    assertStandardBody(await server.call(`GET /v1/download/${feed}/`, { key }), 404);
  }
  assert.equal((await server.call('GET /v1/download/nod/', { key })).status, 200);
});

test('ERR-08 resetting the key of an unknown user or a user of another account answers the same 404', async () => {
  const server = await sharedServer();
  const owner = await server.user({ permissions: ['admin'] });
  const otherUser = await server.user();
  const reset = (username: string) =>
    server.call('POST /v1/account/keys/reset/', { key: owner.key, headers: json, body: { username } });
  const [absent, foreign] = [await reset('nobody'), await reset(otherUser.username)];
  assertStandardBody(absent, 404);
  assert.equal(foreign.status, 404);
  assert.equal(foreign.text, absent.text);
  assert.equal((await server.call('GET /v1/account/', { key: otherUser.key })).status, 200);
});

test('ERR-09 only PATCH domains, POST escalations, and POST and PUT monitors return 422', async () => {
  const server = await roomyServer();
  const { key } = await server.user({ permissions: ['admin'] });
  const unprocessable: string[] = [];
  for (const id of Object.keys(operations)) {
    const body = /^(GET|DELETE)/.test(getOperation(id).route) ? {} : { body: { limit: 'ten', username: 7 } };
    const answer = await server.call(`${routeOf(id)}?limit=ten`, { key, ...body });
    if (answer.status === 422) unprocessable.push(id);
  }
  assert.deepEqual(unprocessable.sort(), writes);
});

class Refused extends Error {
  readonly statusCode = 404;
}

function failing(error: Error) {
  return stubOperation('getIntelEnrich', {
    handle: async () => {
      throw error;
    },
  });
}

const secret = 'cannot open /srv/nameglass/secret.key: select key_sealed from user, hunter2';

for (const [what, error] of [
  ['an error', new Error(secret)],
  ['an error that carries a status of its own', new Refused(secret)],
] as const) {
  test(`ERR-10 an unexpected failure by ${what} returns 500 without details; the details are logged`, async () => {
    const server = await sharedServer({ operations: [failing(error)] });
    const { key } = await server.user();
    const answer = await server.call('GET /v1/intel-enrich/', { key });
    assertStandardBody(answer, 500);
    const shown = answer.text + JSON.stringify(answer.headers);
    for (const part of ['secret.key', 'select', 'hunter2', '/srv', import.meta.filename, 'Error', ' at ']) {
      assert.ok(!shown.includes(part), part);
    }
    const lines = server
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const entry = lines.find((line) => line.err?.message === secret);
    assert.equal(entry?.reqId, answer.headers['x-request-id']);
    assert.match(entry.err.stack, /errors\.test\.ts/);
  });
}

/** One error of every kind that requests can get before they reach a product. */
async function everyError(server: TestServer): Promise<readonly Answer[]> {
  const reader = await server.user();
  const writer = await server.user({ permissions: everything });
  await server.call(routeOf('getNOD'), { key: reader.key });
  await server.call(routeOf('getNOD'), { key: reader.key });
  return [
    await server.call('GET /v1/intel-detect/monitors/?limit=ten', { key: reader.key }),
    // Proxies themselves refuse a path that cannot be decoded.
    await server.call(testProxy ? 'GET /v1/intel-detect/monitors/?limit=x' : 'GET /v1/%zz', {
      key: reader.key,
    }),
    await server.call('GET /v1/intel-detect/monitors/'),
    await server.call('GET /v1/account/'),
    await server.call(routeOf('patchDetectDomains'), { key: reader.key, body: { term: 'example' } }),
    await server.call('GET /v1/nothing', { key: reader.key }),
    await server.call(routeOf('patchDetectDomains'), { key: writer.key, body: {} }),
    await server.call(routeOf('getNOD'), { key: reader.key }),
  ];
}
const everyStatus = [400, 400, 401, 403, 403, 404, 422, 429];

test('ERR-12 the error body has integer code, equal to the status, and string message', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const answers = await everyError(server);
  assert.deepEqual(
    answers.map((answer) => answer.status),
    everyStatus,
  );
  for (const answer of answers.filter(({ status }) => status !== 422))
    assertStandardBody(answer, answer.status);
});

test('ERR-13 every error body carries resources.support, the configured URL', async () => {
  const support = 'https://support.example.net/nameglass';
  const server = await sharedServer({ operations: echoOperations, settings: { 'support.url': support } });
  for (const { json: body } of await everyError(server)) assert.deepEqual(body.resources, { support });
});

test('ERR-13 without a configured support page resources.support is still a URL', async () => {
  const server = await sharedServer({ operations: echoOperations });
  for (const { json: body } of await everyError(server)) {
    assert.match(new URL(body.resources.support).protocol, /^https?:$/);
  }
});

test('ERR-14 a 422 body has code, summary, messages and resources.support', async () => {
  const server = await roomyServer();
  const { key } = await server.user({ permissions: everything });
  for (const id of writes) {
    const { status, json: body } = await server.call(routeOf(id), { key, body: {} });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body), ['error', 'resources']);
    assert.deepEqual(Object.keys(body.error).sort(), ['code', 'messages', 'summary']);
    assert.equal(body.error.code, 422);
    assert.equal(typeof body.error.summary, 'string');
    assert.match(body.resources.support, /^https?:\/\//);
  }
});

for (const [members, named] of [
  [{}, ['term']],
  [{ term: 'ab' }, ['term']],
  [{ term: 5, state: 'watched' }, ['term']],
  [{ term: 'example', state: 'lost', order: 'asc' }, ['state']],
  [
    { state: 'lost', limit: '5', tlds: ['com', 7], mx_exists: 'true', unknown: 1 },
    ['limit', 'mx_exists', 'state', 'term', 'tlds'],
  ],
  [{ term: null, escalation_types: ['blocked', 'burnt'] }, ['escalation_types', 'term']],
] as const) {
  test(`ERR-15 ${JSON.stringify(members)} names exactly ${named.join(', ')}`, async () => {
    const server = await roomyServer();
    const { key } = await server.user({ permissions: everything });
    const { status, json: body } = await server.call(routeOf('postDetectMonitor'), { key, body: members });
    assert.equal(status, 422);
    const { messages } = body.error;
    assert.deepEqual(Object.keys(messages).sort(), named);
    for (const texts of Object.values(messages) as unknown[][]) {
      assert.ok(Array.isArray(texts) && texts.length > 0);
      for (const text of texts) assert.equal(typeof text, 'string');
    }
  });
}

test('ERR-16 no input makes a Detect operation answer anything but 200, 400, 401, 403, 404 and, on writes, 422', async () => {
  const server = await roomyServer({
    settings: { ...roomy, 'limits.productRequestsPerMinute': '1000000' },
  });
  const { key } = await server.user({ permissions: everything });
  const detect = echoedOperations.filter((id) => getOperation(id).family.tag === 'Detect');
  const seen = new Set<number>();
  const request = fc.record({
    id: fc.constantFrom(...detect),
    query: fc.webQueryParameters(),
    body: fc.oneof(fc.json(), fc.string({ unit: anyCharacter }), fc.constant('{"term":"example"}')),
    headers: fc.constantFrom(json, form, { 'content-type': 'text/plain' }, { 'content-type': ';;' }),
    key: fc.constantFrom(key, 'nobody', ''),
  });
  const property = fc.asyncProperty(request, async ({ id, query, ...options }) => {
    const answer = await server.call(`${routeOf(id)}?${query}`, options);
    const allowed = [200, 400, 401, 403, 404, ...(writes.includes(id) ? [422] : [])];
    assert.ok(allowed.includes(answer.status), `${id} answered ${answer.status}`);
    seen.add(answer.status);
  });
  await fc.assert(property, { numRuns: 400 });
  assert.deepEqual(seen, new Set([200, 400, 401, 422]));
});

test('ERR-20 errors of feed and download operations have the standard error body', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const feeds = echoedOperations.filter((id) => getOperation(id).family.tag === 'Feeds');
  for (const id of feeds) {
    const { key, caller } = await server.user();
    assertStandardBody(await server.call(routeOf(id)), 401);
    assertStandardBody(await server.call(`${routeOf(id)}?limit=ten`, { key }), 400);
    const author = { actor: 'operator', atMs: server.clock.now() };
    await server.accounts.setAccountActive(caller.account.name, false, author);
    assertStandardBody(await server.call(routeOf(id), { key }), 403);
  }
  assert.equal(feeds.length, 20);
  assertStandardBody(await server.call('GET /v1/feed/nothing/'), 404);
});

test('ERR-21 a URL with 100 names of 253 characters is accepted', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const { key } = await server.user();
  const tail = `.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  const names = Array.from({ length: 100 }, (_, index) => String(index).padStart(63, 'a') + tail);
  assert.ok(names.every((name) => name.length === 253));
  const address = await clientAddress(server.app);
  const url = `${address.url}/v1/intel-investigate/?domain=${names.join(',')}`;
  const answer = await fetch(url, { headers: { 'x-api-key': key } });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), {
    operation: 'getIntelInvestigate',
    received: { domain: names.join(',') },
  });
});
