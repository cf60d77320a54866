import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';
import { echoOperations, routeOf } from '../../../harness/server/echo-operations.ts';
import { type CallOptions, testServer } from '../../../harness/server/test-server.ts';

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Calls an echo operation, without rate limits. */
async function echoServer(t: TestContext) {
  const settings = { 'limits.productRequestsPerMinute': '100000000' };
  const server = await testServer(t, { operations: echoOperations, settings });
  const { key } = await server.user({ permissions: ['triage'] });
  return (id: string, query: string, options: CallOptions = {}) =>
    server.call(`${routeOf(id)}?${query}`, { key, ...options });
}

const read = 'getDetectIgnored';
const write = 'patchDetectDomains';
const lookup = 'postIntelEnrich';

const percentBytes = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
const names = fc.constantFrom(
  'domain',
  'tlds[]',
  'tlds',
  'mx_exists',
  'limit',
  'order',
  'term',
  '__proto__',
  'api_username',
  'timestamp',
  '',
);
const pair = fc
  .tuple(names, fc.oneof(percentBytes, fc.webQueryParameters()))
  .map(([name, value]) => `${name}=${value}`);
const querySoup = fc.oneof(
  fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&')),
  fc.webQueryParameters(),
  percentBytes,
);
const wellFormed = fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed());

test('any query string returns 200 or 400, or 422 from a Detect write', async (t) => {
  const call = await echoServer(t);
  const seen = new Set<number>();
  const property = fc.asyncProperty(fc.constantFrom(read, write, lookup), querySoup, async (id, query) => {
    const { status } = await call(id, query);
    seen.add(status);
    assert.ok((id === write ? [200, 400, 422] : [200, 400]).includes(status), `${id} ${status}`);
  });
  await fc.assert(property, { numRuns: 500 });
  assert.deepEqual(seen, new Set([200, 400, 422]));
});

test('any bytes as a form or JSON body return 200, 400 or 422', async (t) => {
  const call = await echoServer(t);
  const body = fc.oneof(fc.string({ unit: anyCharacter }), fc.json(), querySoup);
  const contentType = fc.oneof(
    fc.constantFrom(json, form),
    fc.string().map((text) => ({ 'content-type': text.replaceAll(/[^\x20-\x7e]/g, '') })),
  );
  const property = fc.asyncProperty(
    fc.constantFrom(write, lookup),
    contentType,
    body,
    async (id, headers, text) => {
      const { status } = await call(id, '', { headers, body: text });
      assert.ok((id === write ? [200, 400, 422] : [200, 400]).includes(status), `${id} ${status}`);
    },
  );
  await fc.assert(property, { numRuns: 500 });
});

const values = fc.record(
  {
    domain: wellFormed,
    tlds: fc.array(wellFormed, { minLength: 1, maxLength: 5 }),
    mx_exists: fc.boolean(),
    limit: fc.integer({ min: 0, max: 100 }),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);

function asText(members: Readonly<Record<string, unknown>>, brackets: boolean): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (Array.isArray(value))
      for (const item of value) query.append(brackets ? `${name}[]` : name, String(item));
    else query.append(name, String(value));
  }
  return query.toString();
}

test('values sent by query string, form and JSON are received unchanged', async (t) => {
  const call = await echoServer(t);
  const property = fc.asyncProperty(values, fc.boolean(), async (sent, brackets) => {
    const text = asText(sent, brackets);
    const answers = [
      await call(read, text),
      await call(lookup, text),
      await call(lookup, '', { headers: form, body: text }),
      await call(lookup, '', { headers: json, body: JSON.stringify(sent) }),
    ];
    for (const answer of answers) assert.deepEqual([answer.status, answer.json.received], [200, { ...sent }]);
  });
  await fc.assert(property, { numRuns: 150 });
});

test('values split between query string and body are merged', async (t) => {
  const call = await echoServer(t);
  const property = fc.asyncProperty(values, async ({ domain, ...rest }) => {
    const body = domain === undefined ? {} : { domain };
    const answer = await call(lookup, asText(rest, true), { headers: json, body });
    assert.deepEqual([answer.status, answer.json.received], [200, { ...body, ...rest }]);
  });
  await fc.assert(property, { numRuns: 100 });
});

test('a name in both query string and body has the value of the body', async (t) => {
  const call = await echoServer(t);
  const asForm = await call(lookup, 'domain=query.example', { headers: form, body: 'domain=form.example' });
  assert.deepEqual(asForm.json.received, { domain: 'form.example' });
  const asJson = await call(lookup, 'domain=query.example', {
    headers: json,
    body: { domain: 'json.example' },
  });
  assert.deepEqual(asJson.json.received, { domain: 'json.example' });
});

test('a repeated name is one value if its values are equal, and returns 400 if they differ', async (t) => {
  const call = await echoServer(t);
  const property = fc.asyncProperty(wellFormed, wellFormed, async (first, second) => {
    const query = new URLSearchParams([
      ['domain', first],
      ['domain[]', second],
    ]).toString();
    const answer = await call(read, query);
    if (first === second) assert.deepEqual(answer.json.received, { domain: first });
    else assert.deepEqual([answer.status, answer.json.error.message.startsWith('domain: ')], [400, true]);
  });
  await fc.assert(property, {
    numRuns: 100,
    examples: [
      ['a', 'a'],
      ['', ''],
    ],
  });
});

const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
];

test('names of the object prototype are ignored like any unknown parameter', async (t) => {
  const call = await echoServer(t);
  for (const name of hostileNames) {
    for (const answer of [
      await call(read, `${name}=polluted&${name}[]=polluted&domain=a.example`),
      await call(lookup, '', { headers: form, body: `${name}=polluted&domain=a.example` }),
      await call(lookup, '', { headers: json, body: `{"${name}":{"polluted":true},"domain":"a.example"}` }),
    ]) {
      assert.deepEqual([answer.status, answer.json.received], [200, { domain: 'a.example' }]);
    }
    assert.ok(!('polluted' in {}));
  }
});

test('a value named like a prototype member is rejected if it has the wrong type', async (t) => {
  const call = await echoServer(t);
  for (const query of ['mx_exists=toString', 'mx_exists=__proto__', 'order=constructor']) {
    assert.equal((await call(read, query)).status, 400);
  }
  const body = '{"term":"example","state":{"__proto__":{"length":9}}}';
  const answer = await call(write, '', { headers: json, body });
  assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, ['state']]);
});

for (const [what, id, status] of [
  ['an unknown member', lookup, 200],
  ['a member of another type', write, 422],
] as const) {
  test(`nested JSON as ${what} returns ${status} up to 100 levels, and 400 beyond`, async (t) => {
    const call = await echoServer(t);
    const name = status === 200 ? 'unknown' : 'term';
    const statusAt = async (depth: number) => {
      const body = `{"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      return (await call(id, '', { headers: json, body })).status;
    };
    assert.deepEqual([await statusAt(99), await statusAt(100), await statusAt(500_000)], [status, 400, 400]);
  });
}

for (const number of [
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e21',
  '0.1',
  '101',
  '-1',
  '99999999999999999999',
]) {
  test(`the number ${number} is rejected where an integer from 0 to 100 is declared`, async (t) => {
    const call = await echoServer(t);
    assert.equal((await call(read, `limit=${number}`)).status, 400);
    assert.equal((await call(lookup, '', { headers: json, body: `{"limit":${number}}` })).status, 400);
    const answer = await call(write, '', { headers: json, body: `{"term":"example","limit":${number}}` });
    assert.deepEqual([answer.status, Object.keys(answer.json.error.messages)], [422, ['limit']]);
  });
}

test('members of a JSON body are not converted to the declared type', async (t) => {
  const call = await echoServer(t);
  for (const members of [
    { limit: '5' },
    { mx_exists: 1 },
    { mx_exists: 'true' },
    { domain: 5 },
    { tlds: 'com' },
    { domain: null },
  ]) {
    assert.equal((await call(lookup, '', { body: members })).status, 400, JSON.stringify(members));
  }
  assert.equal((await call(lookup, '', { body: { limit: 5, mx_exists: true, tlds: [] } })).status, 200);
});

test('a repeated JSON member has its last value', async (t) => {
  const call = await echoServer(t);
  const answer = await call(lookup, '', {
    headers: json,
    body: '{"domain":"a.example","domain":"b.example"}',
  });
  assert.deepEqual(answer.json.received, { domain: 'b.example' });
});
