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

const ndjson = { description: 'Lines', mimetype: 'application/x-ndjson' };
const channels = JSON.stringify({
  42: ndjson,
  43: ndjson,
  44: ndjson,
  212: ndjson,
  221: ndjson,
  240: { description: 'Notes', mimetype: 'text/plain' },
});

async function ingestServer(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<IngestServer> {
  const server = await testServer(t, { settings: { 'batch.channels': channels, ...settings } });
  const user = await server.user({ permissions: ['ingest'], ownChannels: [42, 43, 240] });
  return {
    server,
    user,
    append: (body, options, channel = '42') =>
      server.call(`POST /v1/channels/${channel}/lines/`, {
        key: user.key,
        body,
        headers: { 'content-type': 'application/x-ndjson', ...options?.headers },
        ...(options?.key === undefined ? {} : { key: options.key }),
      }),
    contentOf: (channel = 42) => streamText(server.streams, `ch${channel}`),
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
  assert.equal((await server.streams.findState('ch42'))?.latestMinute, minute);
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
  assert.equal(await server.streams.findState('ch42'), undefined);
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
  const body = Buffer.from('{"a":"\xff"}', 'latin1');
  const answer = await server.call('POST /v1/channels/42/lines/', { key: user.key, body });
  assert.equal(answer.status, 400);
});

test('a channel that is not NDJSON accepts any line that is not blank', async (t) => {
  const { append, contentOf } = await ingestServer(t);
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
  const headers = { 'idempotency-key': 'upload-17' };
  for (const channel of ['42', '43'])
    assert.deepEqual((await append(two, { headers }, channel)).json, { response: { lines: 2 } });
  const { key } = await server.user({ permissions: ['ingest'], ownChannels: [42] });
  assert.deepEqual((await append(two, { headers, key })).json, { response: { lines: 2 } });
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
  const { server, user, append, contentOf } = await ingestServer(t);
  const account = user.caller.account.name;
  for (const permission of ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin'] as const) {
    const { key } = await server.user({ account, permissions: [permission] });
    const expected = ['ingest', 'admin'].includes(permission) ? 200 : 403;
    assert.equal((await append('{}', { key })).status, expected, permission);
  }
  assert.equal(await contentOf(), '{}\n{}\n');
});

test('the administrator of another account cannot append: neither to a built-in channel nor to one of somebody else', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  const { key } = await server.user({ permissions: ['admin'] });
  for (const channel of ['212', '221', '42', '44', '99']) {
    const answer = await append('{"x":"polluted"}', { key }, channel);
    assert.equal(answer.status, 403, channel);
    assert.match(answer.json.error.message, new RegExp(`does not own the channel ${channel}\\.`));
  }
  assert.deepEqual([await contentOf(212), await contentOf(42)], ['', '']);
});

test('a built-in channel cannot be appended to even by an account that is recorded as its owner', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  const { key } = await server.user({ permissions: ['admin'], ownChannels: [212] });
  assert.equal((await append('{}', { key }, '212')).status, 403);
  assert.equal(await contentOf(212), '');
});

test('a channel has one owner: the account it is given to next replaces the one before', async (t) => {
  const { server, append, contentOf } = await ingestServer(t);
  const { key } = await server.user({ permissions: ['ingest'], ownChannels: [42] });
  assert.equal((await append('{"by":"new"}', { key })).status, 200);
  assert.equal((await append('{"by":"old"}')).status, 403);
  assert.equal(await contentOf(), '{"by":"new"}\n');
});

test('a user whom the operator gave a list of channels appends to no other channel of the account', async (t) => {
  const { server, user, append, contentOf } = await ingestServer(t);
  const account = user.caller.account.name;
  const { key } = await server.user({ account, permissions: ['ingest'], channels: [43, 212] });
  assert.equal((await append('{}', { key }, '42')).status, 403);
  assert.equal((await append('{}', { key }, '212')).status, 403);
  assert.equal((await append('{}', { key }, '43')).status, 200);
  assert.deepEqual([await contentOf(42), await contentOf(43)], ['', '{}\n']);
});

test('a user whom an administrator of the account created with ingest appends to every channel of the account', async (t) => {
  const { server, user, append } = await ingestServer(t);
  const admin = await server.user({ account: user.caller.account.name, permissions: ['admin'] });
  const made = await server.call('POST /v1/account/keys/', {
    key: admin.key,
    body: { username: 'producer', permissions: ['ingest'] },
  });
  const { api_key: key } = made.json.response;
  for (const channel of ['42', '43'])
    assert.equal((await append('{}', { key }, channel)).status, 200, channel);
});

test('a user with ingest alone reads nothing: neither the platform nor passive DNS nor channels', async (t) => {
  const { server, user } = await ingestServer(t);
  for (const path of ['account/', 'intel-enrich/?domain=a.example', 'intel-detect/monitors/', 'feed/nod/'])
    assert.equal((await server.call(`GET /v1/${path}`, { key: user.key })).status, 403, path);
  const lookup = await server.call('GET /pdns/v2/lookup/rrset/name/a.example', { key: user.key });
  assert.equal(lookup.status, 401);
  const body = { apikey: user.batchKey };
  assert.equal((await server.call('POST /batchd/v1/validate', { body })).status, 403);
  const both = await server.user({ account: user.caller.account.name, permissions: ['ingest', 'read'] });
  assert.equal((await server.call('GET /v1/account/', { key: both.key })).status, 200);
});

test('a channel that the account owns and the settings do not declare returns 404, like what is not a channel number', async (t) => {
  const { server, append } = await ingestServer(t);
  const { key } = await server.user({ permissions: ['ingest'], ownChannels: [99] });
  for (const channel of ['99', '0', '256', '042', '42x', 'ch42', 'constructor', '..%2f42', '1e2', '-1']) {
    assert.equal((await append('{}', { key }, channel)).status, 404, channel);
  }
});

test('requests beyond limits.ingest.requestsPerMinute are refused with 429 and Retry-After, for the whole account', async (t) => {
  const { server, user, append, contentOf } = await ingestServer(t, {
    'limits.ingest.requestsPerMinute': '2',
  });
  const { key } = await server.user({ account: user.caller.account.name, permissions: ['ingest'] });
  const other = await server.user({ permissions: ['ingest'], ownChannels: [44] });
  assert.deepEqual([(await append('{}')).status, (await append('{}', { key })).status], [200, 200]);
  const refused = await append('{}');
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60']);
  assert.equal(refused.json.error.message, 'The limit of ingest is reached: 2 requests per minute.');
  assert.equal((await append('{}', { key: other.key }, '44')).status, 200, 'another account');
  server.clock.advanceSeconds(60);
  assert.equal((await append('{}')).status, 200);
  assert.equal(await contentOf(), '{}\n'.repeat(3));
});

test('bytes beyond limits.ingest.bytesPerHour are refused with 429 until the hour ends, and fewer still fit', async (t) => {
  const { server, append, contentOf } = await ingestServer(t, { 'limits.ingest.bytesPerHour': '1024' });
  const line = `{"a":"${'x'.repeat(491)}"}\n`;
  assert.equal((await append(line.repeat(2))).status, 200);
  const refused = await append(line);
  assert.equal(refused.status, 429);
  assert.equal(refused.json.error.message, 'The limit of ingest is reached: 1024 bytes per hour.');
  assert.equal(Number(refused.headers['retry-after']), 3600 - (Math.floor(server.clock.now() / 1000) % 3600));
  assert.equal((await append('{"fits":true}\n')).status, 200);
  const tooLarge = await append(line.repeat(3));
  assert.deepEqual([tooLarge.status, tooLarge.headers['retry-after']], [429, undefined]);
  server.clock.advanceSeconds(3600);
  assert.equal((await append(line)).status, 200);
  assert.equal((await contentOf()).length, 3 * line.length + 14);
});

test('a refused or invalid request does not count against the limits of ingest', async (t) => {
  const { append } = await ingestServer(t, { 'limits.ingest.requestsPerMinute': '1' });
  assert.equal((await append('not JSON')).status, 400);
  assert.equal((await append('{}', {}, '212')).status, 403);
  assert.equal((await append('\n')).status, 200);
  assert.equal((await append('{}')).status, 200);
  assert.equal((await append('{}')).status, 429);
});

test('credentials are checked before the body, and are not read from it', async (t) => {
  const { server, user, append } = await ingestServer(t);
  assert.equal((await append('not JSON', { key: 'wrong' })).status, 401);
  const body = { api_username: user.username, api_key: user.key };
  assert.equal((await server.call('POST /v1/channels/42/lines/', { body })).status, 401);
  const query = queryOf(body);
  assert.equal((await server.call(`POST /v1/channels/42/lines/?${query}`, { body: '{}' })).status, 200);
});

test('AUTH-17 a signed request is appended once, and its signature serves no other lines', async (t) => {
  const { server, user, contentOf } = await ingestServer(t);
  const query = queryOf(signed(user, new Date(server.clock.now()).toISOString(), '/v1/channels/42/lines/'));
  const send = async (body: string) =>
    (await server.call(`POST /v1/channels/42/lines/?${query}`, { body })).status;
  assert.deepEqual([await send('{"a":1}'), await send('{"a":1}'), await send('{"a":2}')], [200, 401, 401]);
  assert.equal(await contentOf(), '{"a":1}\n');
});

test('appending counts against no product: the account’s usage does not change', async (t) => {
  const { server, user: producer, append } = await ingestServer(t);
  const user = await server.user({ account: producer.caller.account.name });
  await append(two);
  const { products } = (await server.call('GET /v1/account/', { key: user.key })).json.response;
  assert.ok(products.every(({ usage }: { usage: { month: string } }) => usage.month === '0'));
});
