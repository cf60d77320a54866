/** Lines that programs bring into channels. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { streamText } from '../harness/stream-text.ts';
import {
  type Answer,
  type CallOptions,
  type TestServer,
  type TestUser,
  testServer,
} from '../harness/test-server.ts';
import { queryOf, signed } from './signing.ts';

interface Bringer {
  readonly server: TestServer;
  readonly user: TestUser;
  readonly bring: (body: string, options?: CallOptions, channel?: string) => Promise<Answer>;
  /** Everything that a channel holds. */
  readonly held: (channel?: number) => Promise<string>;
}

const plain =
  '{"240":{"description":"Notes","mimetype":"text/plain"},"212":{"description":"New","mimetype":"application/x-ndjson"}}';

async function bringer(t: TestContext, settings: Readonly<Record<string, string>> = {}): Promise<Bringer> {
  const server = await testServer(t, { settings });
  const user = await server.user({ permissions: ['ingest'] });
  return {
    server,
    user,
    bring: (body, options, channel = '212') =>
      server.call(`POST /v1/channels/${channel}/lines/`, {
        key: user.key,
        body,
        headers: { 'content-type': 'application/x-ndjson', ...options?.headers },
        ...(options?.key === undefined ? {} : { key: options.key }),
      }),
    held: (channel = 212) => streamText(server.streams, `ch${channel}`),
  };
}

const two = '{"domain":"a.example"}\n{"domain":"b.example"}\n';

test('lines are appended in the minute of the request, and the answer says how many', async (t) => {
  const { server, bring, held } = await bringer(t);
  const answer = await bring(two);
  assert.deepEqual([answer.status, answer.json], [200, { response: { lines: 2 } }]);
  assert.equal(answer.headers['content-type'], 'application/json;charset=utf-8');
  assert.equal(await held(), two);
  const minute = Math.floor(server.clock.now() / 60_000);
  assert.equal((await server.streams.findState('ch212'))?.latestMinute, minute);
});

test('the content type does not matter, and a body that is one JSON object is one line', async (t) => {
  const { bring, held } = await bringer(t);
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'nonsense']) {
    const answer = await bring('{"api_key":"x","domain":"a.example"}', { headers: { 'content-type': type } });
    assert.deepEqual([answer.status, answer.json], [200, { response: { lines: 1 } }], type);
  }
  assert.equal(await held(), '{"api_key":"x","domain":"a.example"}\n'.repeat(4));
});

test('lines are kept as they came, but for line ends and blank lines', async (t) => {
  const { bring, held } = await bringer(t);
  const odd = '{ "n": 12345678901234567890.10, "t": "\\u00e9é😀" }';
  const answer = await bring(`\r\n${odd}\r\n\n   \n{"last":true}`);
  assert.deepEqual(answer.json, { response: { lines: 2 } });
  assert.equal(await held(), `${odd}\n{"last":true}\n`);
});

test('an empty body is no line, and nothing is appended', async (t) => {
  const { server, bring } = await bringer(t);
  for (const body of ['', '\n\n']) assert.deepEqual((await bring(body)).json, { response: { lines: 0 } });
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

test('the first malformed line is named with 400, and nothing is appended', async (t) => {
  const { bring, held } = await bringer(t);
  for (const [body, says] of faults) {
    const answer = await bring(body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 400], body);
    assert.match(answer.json.error.message, says);
  }
  assert.equal(await held(), '');
});

test('bytes that are not UTF-8 are refused with 400', async (t) => {
  const { server, user } = await bringer(t);
  const answer = await server.app.inject({
    method: 'POST',
    url: '/v1/channels/212/lines/',
    headers: { 'x-api-key': user.key },
    payload: Buffer.from('{"a":"\xff"}', 'latin1'),
  });
  assert.equal(answer.statusCode, 400);
});

test('a channel of another kind takes any line that is not blank', async (t) => {
  const { bring, held } = await bringer(t, { 'batch.channels': plain });
  assert.deepEqual((await bring('no JSON\n\n{"but":"this', {}, '240')).json, { response: { lines: 2 } });
  assert.equal(await held(240), 'no JSON\n{"but":"this\n');
});

test('a body larger than bodies may be is refused, and nothing is appended', async (t) => {
  const { bring, held } = await bringer(t, { 'http.bodyBytesMax': '2000' });
  assert.equal((await bring('{"a":1}\n'.repeat(400))).status, 400);
  assert.equal((await bring('{"a":1}\n'.repeat(200))).status, 200);
  assert.equal(await held(), '{"a":1}\n'.repeat(200));
});

test('any lines come back as they were brought, in their order', async (t) => {
  const { bring, held } = await bringer(t);
  let expected = '';
  const lines = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(lines, async (objects) => {
      const body = objects.map((object) => JSON.stringify(object)).join('\n');
      assert.equal((await bring(body)).json.response.lines, objects.length);
      expected += `${body}\n`;
    }),
    { numRuns: 30 },
  );
  assert.equal(await held(), expected);
});

test('a request that is repeated under its Idempotency-Key appends nothing and says so', async (t) => {
  const { bring, held } = await bringer(t);
  const headers = { 'idempotency-key': 'upload-17' };
  assert.deepEqual((await bring(two, { headers })).json, { response: { lines: 2 } });
  for (let repeats = 0; repeats < 2; repeats += 1) {
    const answer = await bring(two, { headers });
    assert.deepEqual([answer.status, answer.json], [200, { response: { lines: 2, repeated: true } }]);
  }
  assert.equal(await held(), two);
});

test('of many requests at once under one Idempotency-Key one appends', async (t) => {
  const { bring, held } = await bringer(t);
  const headers = { 'idempotency-key': 'upload-17' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => bring(two, { headers })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, () => 200),
  );
  assert.equal(answers.filter(({ json }) => !json.response.repeated).length, 1);
  assert.equal(await held(), two);
});

test('an Idempotency-Key with other lines than before is refused with 400', async (t) => {
  const { bring, held } = await bringer(t);
  const headers = { 'idempotency-key': 'upload-17' };
  await bring(two, { headers });
  assert.equal((await bring('{"domain":"c.example"}', { headers })).status, 400);
  assert.equal(await held(), two);
});

test('an Idempotency-Key belongs to one account and one channel', async (t) => {
  const { server, bring, held } = await bringer(t);
  const other = await server.user({ permissions: ['ingest'] });
  const headers = { 'idempotency-key': 'upload-17' };
  for (const [key, channel] of [
    [undefined, '212'],
    [undefined, '211'],
    [other.key, '212'],
  ] as const) {
    const { json } = await bring(two, { headers, ...(key === undefined ? {} : { key }) }, channel);
    assert.deepEqual(json, { response: { lines: 2 } });
  }
  assert.equal(await held(), two + two);
});

test('an Idempotency-Key that is empty, too long or not printable is refused with 400', async (t) => {
  const { bring, held } = await bringer(t);
  for (const text of ['', 'x'.repeat(129), 'two words', 'é']) {
    assert.equal((await bring(two, { headers: { 'idempotency-key': text } })).status, 400, text);
  }
  assert.equal((await bring(two, { headers: { 'idempotency-key': 'x'.repeat(128) } })).status, 200);
  assert.equal(await held(), two);
});

test('it takes the permission ingest or admin: all others are refused with 403', async (t) => {
  const { server, bring, held } = await bringer(t);
  for (const permission of ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin'] as const) {
    const { key } = await server.user({ permissions: [permission] });
    const expected = ['ingest', 'admin'].includes(permission) ? 200 : 403;
    assert.equal((await bring('{}', { key })).status, expected, permission);
  }
  assert.equal(await held(), '{}\n{}\n');
});

test('a channel that is not open to the user is refused with 403, declared or not', async (t) => {
  const { server, bring, held } = await bringer(t);
  const { key } = await server.user({ permissions: ['ingest'], channels: [211] });
  for (const channel of ['212', '99']) assert.equal((await bring('{}', { key }, channel)).status, 403);
  assert.equal((await bring('{}', { key }, '211')).status, 200);
  assert.deepEqual([await held(212), await held(211)], ['', '{}\n']);
});

test('a channel that is not declared answers 404', async (t) => {
  const { bring } = await bringer(t);
  for (const channel of ['99', '0', '256', '0212', '212x', 'ch212', 'constructor', '..%2f212', '1e2', '-1']) {
    assert.equal((await bring('{}', {}, channel)).status, 404, channel);
  }
});

test('credentials are judged before the body, and are not read from it', async (t) => {
  const { server, user, bring } = await bringer(t);
  assert.equal((await bring('not JSON', { key: 'wrong' })).status, 401);
  const body = { api_username: user.username, api_key: user.key };
  assert.equal((await server.call('POST /v1/channels/212/lines/', { body })).status, 401);
  const query = queryOf(body);
  assert.equal((await server.call(`POST /v1/channels/212/lines/?${query}`, { body: '{}' })).status, 200);
});

test('a signed request that is sent again with the same lines is refused, and other lines are another request', async (t) => {
  const { server, user, held } = await bringer(t);
  const query = queryOf(signed(user, new Date(server.clock.now()).toISOString(), '/v1/channels/212/lines/'));
  const send = async (body: string) =>
    (await server.call(`POST /v1/channels/212/lines/?${query}`, { body })).status;
  assert.deepEqual([await send('{"a":1}'), await send('{"a":1}'), await send('{"a":2}')], [200, 401, 200]);
  assert.equal(await held(), '{"a":1}\n{"a":2}\n');
});

test('it is free: the account has no request more', async (t) => {
  const { server, user, bring } = await bringer(t);
  await bring(two);
  const { products } = (await server.call('GET /v1/account/', { key: user.key })).json.response;
  assert.ok(products.every(({ usage }: { usage: { month: string } }) => usage.month === '0'));
});
