/** Lines that programs append to channels over HTTP. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { streamText } from '../../harness/fixtures/stream-text.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  type TestUser,
  testServer,
} from '../../harness/server/test-server.ts';

interface IngestServer {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly append: (body: string, options?: CallOptions, channel?: string) => Promise<Answer>;
  /** The whole content of a channel. */
  readonly contentOf: (channel?: number) => Promise<string>;
}

const plain =
  '{"240":{"description":"Notes","mimetype":"text/plain"},"212":{"description":"New","mimetype":"application/x-ndjson"}}';

async function ingestServer(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<IngestServer> {
  const server = await testServer(t, { settings });
  const user = await server.user({ permissions: ['ingest'] });
  return {
    server,
    user,
    append: (body, options, channel = '212') =>
      server.call(`POST /v1/channels/${channel}/lines/`, {
        key: user.key,
        body,
        headers: { 'content-type': 'application/x-ndjson', ...options?.headers },
        ...(options?.key === undefined ? {} : { key: options.key }),
      }),
    contentOf: (channel = 212) => streamText(server.streams, `ch${channel}`),
  };
}

const two = '{"domain":"a.example"}\n{"domain":"b.example"}\n';

test('lines are appended in the minute of the request, and the response has their number', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  const answer = await append(two);
  assert.deepEqual([answer.status, answer.json], [200, { response: { lines: 2 } }]);
  assert.equal(answer.headers['content-type'], 'application/json;charset=utf-8');
  assert.equal(await contentOf(), two);
  const minute = Math.floor(server.clock.now() / 60_000);
  assert.equal((await server.streams.findState('ch212'))?.latestMinute, minute);
});

test('the content type does not matter, and a body that is one JSON object is one line', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'nonsense']) {
    const answer = await append('{"api_key":"x","domain":"a.example"}', {
      headers: { 'content-type': type },
    });
    assert.deepEqual([answer.status, answer.json], [200, { response: { lines: 1 } }], type);
  }
  assert.equal(await contentOf(), '{"api_key":"x","domain":"a.example"}\n'.repeat(4));
});

test('lines are stored unchanged except for line endings and blank lines', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  const odd = '{ "n": 12345678901234567890.10, "t": "\\u00e9é😀" }';
  const answer = await append(`\r\n${odd}\r\n\n   \n{"last":true}`);
  assert.deepEqual(answer.json, { response: { lines: 2 } });
  assert.equal(await contentOf(), `${odd}\n{"last":true}\n`);
});

test('an empty body has no lines, and nothing is appended', async (t) => {
  const { server, append } = await ingestServer(t);
  for (const body of ['', '\n\n']) assert.deepEqual((await append(body)).json, { response: { lines: 0 } });
  assert.equal(await server.streams.findState('ch212'), undefined);
});

const faults: readonly (readonly [body: string, says: RegExp])[] = [
  [`${two}{"domain":\n{}\n`, /^line 3: is not valid JSON$/],
  ['{}\n\n[1]\n', /^line 3: is not a JSON object$/],
  ['"text"', /^line 1: is not a JSON object$/],
  ['{}\nnull', /^line 2: /],
  ['{}{}', /^line 1: /],
  ['{"a":"\u0001"}', /^line 1: /],
];

test('the first malformed line is reported with 400, and nothing is appended', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  for (const [body, says] of faults) {
    const answer = await append(body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 400], body);
    assert.match(answer.json.error.message, says);
  }
  assert.equal(await contentOf(), '');
});

test('bytes that are not UTF-8 are refused with 400', async (t) => {
  const { server, user } = await ingestServer(t);
  const answer = await server.app.inject({
    method: 'POST',
    url: '/v1/channels/212/lines/',
    headers: { 'x-api-key': user.key },
    payload: Buffer.from('{"a":"\xff"}', 'latin1'),
  });
  assert.equal(answer.statusCode, 400);
});

test('a channel that is not NDJSON accepts any line that is not blank', async (t) => {
  const { append, contentOf } = await ingestServer(t, { 'batch.channels': plain });
  assert.deepEqual((await append('no JSON\n\n{"but":"this', {}, '240')).json, { response: { lines: 2 } });
  assert.equal(await contentOf(240), 'no JSON\n{"but":"this\n');
});

test('a body over the size limit is refused, and nothing is appended', async (t) => {
  const { append, contentOf } = await ingestServer(t, { 'http.bodyBytesMax': '2000' });
  assert.equal((await append('{"a":1}\n'.repeat(400))).status, 400);
  assert.equal((await append('{"a":1}\n'.repeat(200))).status, 200);
  assert.equal(await contentOf(), '{"a":1}\n'.repeat(200));
});

test('any lines are returned as they were sent, in the same order', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  let expected = '';
  const lines = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(lines, async (objects) => {
      const body = objects.map((object) => JSON.stringify(object)).join('\n');
      assert.equal((await append(body)).json.response.lines, objects.length);
      expected += `${body}\n`;
    }),
    { numRuns: 30 },
  );
  assert.equal(await contentOf(), expected);
});

test('a request repeated with its Idempotency-Key appends nothing and says so', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  const headers = { 'idempotency-key': 'upload-17' };
  assert.deepEqual((await append(two, { headers })).json, { response: { lines: 2 } });
  for (let repeats = 0; repeats < 2; repeats += 1) {
    const answer = await append(two, { headers });
    assert.deepEqual([answer.status, answer.json], [200, { response: { lines: 2, repeated: true } }]);
  }
  assert.equal(await contentOf(), two);
});

test('of many concurrent requests with one Idempotency-Key exactly one appends', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  const headers = { 'idempotency-key': 'upload-17' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => append(two, { headers })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, () => 200),
  );
  assert.equal(answers.filter(({ json }) => !json.response.repeated).length, 1);
  assert.equal(await contentOf(), two);
});

test('an Idempotency-Key with other lines than before is refused with 400', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  const headers = { 'idempotency-key': 'upload-17' };
  await append(two, { headers });
  assert.equal((await append('{"domain":"c.example"}', { headers })).status, 400);
  assert.equal(await contentOf(), two);
});

test('an Idempotency-Key belongs to one account and one channel', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  const other = await server.user({ permissions: ['ingest'] });
  const headers = { 'idempotency-key': 'upload-17' };
  for (const [key, channel] of [
    [undefined, '212'],
    [undefined, '211'],
    [other.key, '212'],
  ] as const) {
    const { json } = await append(two, { headers, ...(key === undefined ? {} : { key }) }, channel);
    assert.deepEqual(json, { response: { lines: 2 } });
  }
  assert.equal(await contentOf(), two + two);
});

test('an Idempotency-Key that is empty, too long or not printable is refused with 400', async (t) => {
  const { append, contentOf } = await ingestServer(t);
  for (const text of ['', 'x'.repeat(129), 'two words', 'é']) {
    assert.equal((await append(two, { headers: { 'idempotency-key': text } })).status, 400, text);
  }
  assert.equal((await append(two, { headers: { 'idempotency-key': 'x'.repeat(128) } })).status, 200);
  assert.equal(await contentOf(), two);
});

test('the permission ingest or admin is required: all others are refused with 403', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  for (const permission of ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin'] as const) {
    const { key } = await server.user({ permissions: [permission] });
    const expected = ['ingest', 'admin'].includes(permission) ? 200 : 403;
    assert.equal((await append('{}', { key })).status, expected, permission);
  }
  assert.equal(await contentOf(), '{}\n{}\n');
});

test('a channel that the user may not access is refused with 403, declared or not', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  const { key } = await server.user({ permissions: ['ingest'], channels: [211] });
  for (const channel of ['212', '99']) assert.equal((await append('{}', { key }, channel)).status, 403);
  assert.equal((await append('{}', { key }, '211')).status, 200);
  assert.deepEqual([await contentOf(212), await contentOf(211)], ['', '{}\n']);
});

test('a channel that is not declared returns 404', async (t) => {
  const { append } = await ingestServer(t);
  for (const channel of ['99', '0', '256', '0212', '212x', 'ch212', 'constructor', '..%2f212', '1e2', '-1']) {
    assert.equal((await append('{}', {}, channel)).status, 404, channel);
  }
});

test('credentials are checked before the body, and are not read from it', async (t) => {
  const { server, user, append } = await ingestServer(t);
  assert.equal((await append('not JSON', { key: 'wrong' })).status, 401);
  const body = { api_username: user.username, api_key: user.key };
  assert.equal((await server.call('POST /v1/channels/212/lines/', { body })).status, 401);
  const query = queryOf(body);
  assert.equal((await server.call(`POST /v1/channels/212/lines/?${query}`, { body: '{}' })).status, 200);
});

test('a signed request replayed with the same lines is refused, and one with other lines is another request', async (t) => {
  const { server, user, contentOf } = await ingestServer(t);
  const query = queryOf(signed(user, new Date(server.clock.now()).toISOString(), '/v1/channels/212/lines/'));
  const send = async (body: string) =>
    (await server.call(`POST /v1/channels/212/lines/?${query}`, { body })).status;
  assert.deepEqual([await send('{"a":1}'), await send('{"a":1}'), await send('{"a":2}')], [200, 401, 200]);
  assert.equal(await contentOf(), '{"a":1}\n{"a":2}\n');
});

test('appending is free: the account’s usage does not change', async (t) => {
  const { server, user, append } = await ingestServer(t);
  await append(two);
  const { products } = (await server.call('GET /v1/account/', { key: user.key })).json.response;
  assert.ok(products.every(({ usage }: { usage: { month: string } }) => usage.month === '0'));
});
