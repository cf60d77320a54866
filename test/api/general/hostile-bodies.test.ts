/** Bodies and query strings that are expensive to parse, on every API, with and without credentials. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyPermission } from '../../harness/server/every-operation.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { testServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const tooMany = 'a&'.repeat(10_001);
const deep = `{"domain":${'['.repeat(101)}${']'.repeat(101)}}`;
const wide = `{${Array.from({ length: 10_001 }, (_, at) => `"k${at}":0`).join(',')}}`;

test('AUTH-34 a form with too many parameters is refused for its credentials first', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  for (const path of ['/v1/intel-enrich/', '/v1/intel-investigate/', '/v1/intel-detect/domains/']) {
    const route = `${path.includes('detect') ? 'PATCH' : 'POST'} ${path}`;
    assert.equal((await server.call(route, { headers: form, body: tooMany })).status, 401, path);
    assert.equal(
      (await server.call(route, { key: 'wrong', headers: form, body: tooMany })).status,
      401,
      path,
    );
  }
  const { status, json } = await server.call('POST /v1/intel-enrich/', { key, headers: form, body: tooMany });
  assert.equal(status, 400);
  assert.equal(json.error.message, 'The form has more than 10000 parameters.');
});

test('credentials in the body count in a form with as many parameters as allowed, and not in a longer one', async () => {
  const server = await sharedServer();
  const { username, key } = await server.user();
  const credentials = `&api_username=${username}&api_key=${key}&domain=a.example`;
  const call = (others: number) =>
    server.call('POST /v1/intel-enrich/', {
      headers: form,
      body: `${'a&'.repeat(others - 1)}a${credentials}`,
    });
  assert.equal((await call(9997)).status, 200);
  assert.equal((await call(9998)).status, 401);
});

test('AUTH-34 a JSON body with too many values or levels is refused for its credentials first, then with the reason', async () => {
  const server = await sharedServer();
  const { key } = await server.user({ permissions: everyPermission });
  for (const [body, reason] of [
    [deep, 'The JSON body is nested deeper than 100 levels.'],
    [wide, 'The JSON body has more than 10000 values.'],
  ] as const) {
    for (const route of ['POST /v1/intel-enrich/', 'PATCH /v1/intel-detect/domains/']) {
      assert.equal((await server.call(route, { body })).status, 401);
      const { status, json } = await server.call(route, { key, body });
      assert.deepEqual([status, json.error.message], [400, reason], route);
    }
  }
});

test('a query string with too many parameters is refused in the dialect of every API', async () => {
  const server = await sharedServer({ settings: { 'compat.profile': 'vendor' } });
  const message = 'The query string has more than 10000 parameters.';
  const responses: Record<string, readonly [number, RegExp]> = {
    'GET /v1/intel-enrich/': [400, /^\{"error":\{"code":400,"message":"The query/],
    'GET /v1/iris-enrich/': [400, /^\{"error":\{"code":400,"message":"The query/],
    'GET /pdns/v2/lookup/rrset/name/a.example': [400, /^Error: The query/],
    'GET /pdns/query/a.example': [400, /^Error: The query/],
    'POST /batchd/v1/validate': [403, /"_status":"NOK".*"invalid-parameters"/],
    'GET /files/x': [400, /<Code>InvalidRequest/],
    'GET /screenshot_image': [400, /<Code>InvalidRequest/],
    'GET /docs/static/index.html': [400, /<p>The query/],
    'GET /metrics': [400, /<p>The query/],
    'GET /unknown': [400, /<p>The query/],
  };
  for (const [route, [status, body]] of Object.entries(responses)) {
    const answer = await server.call(`${route}?${tooMany}`);
    assert.equal(answer.status, status, route);
    assert.match(answer.text, body, route);
    assert.ok(answer.text.includes(message), route);
  }
});

test('a batch body with too many values or levels is refused as no JSON object', async () => {
  const server = await sharedServer();
  const { batchKey } = await server.user();
  for (const body of [deep, wide].map((text) => text.replace('{', `{"apikey":"${batchKey}",`))) {
    const { status, json } = await server.call('POST /batchd/v1/validate', { body });
    assert.deepEqual([status, json.invalid_parameters.name], [403, 'body']);
    assert.match(json.invalid_parameters.reason, /10000 values|100 levels/);
  }
});

test('a bulk body and its queries have the same bounds', async () => {
  const server = await sharedServer();
  const { key } = await server.user();
  const call = (body: object | string) => server.call('POST /pdns/v2/bulk', { key, body });
  for (const body of [deep, wide]) assert.match((await call(body)).text, /10000 values|100 levels/);
  const { status, text } = await call({ queries: [{ query: `lookup/rrset/name/a.example?${tooMany}` }] });
  assert.equal(status, 400);
  assert.match(text, /queries\[0\]\.query: The query string has more than 10000 parameters/);
});

test('a line of a channel has the same bounds', async (t) => {
  const channels = {
    42: { description: 'own', mimetype: 'application/x-ndjson' },
    43: { description: 'text', mimetype: 'text/plain' },
  };
  const server = await testServer(t, { settings: { 'batch.channels': JSON.stringify(channels) } });
  const { key } = await server.user({ permissions: ['ingest'], ownChannels: [42, 43] });
  const append = (channel: number, line: string) =>
    server.call(`POST /v1/channels/${channel}/lines/`, { key, body: `{}\n${line}\n` });
  for (const line of [deep, wide]) {
    const { status, json } = await append(42, line);
    assert.equal(status, 400);
    assert.match(
      json.error.message,
      /^line 2: (has more than 10000 values|is nested deeper than 100 levels)$/,
    );
    assert.equal((await append(43, line)).status, 200, 'text is not parsed');
  }
});
