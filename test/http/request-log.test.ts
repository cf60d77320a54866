import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { redactUrl } from '../../src/http/request-log.ts';
import { type TestServer, testServer } from '../harness/server/test-server.ts';

const secretNames = ['api_key', 'apikey', 'api-key', 'key', 'signature', 'token', 'x-amz-signature'];

/** Each character in upper or lower case, plain or percent-encoded in upper or lower case. */
function spellings(name: string): fc.Arbitrary<string> {
  const character = (one: string) =>
    fc.constantFrom(one, one.toUpperCase()).chain((letter) => {
      const hex = letter.charCodeAt(0).toString(16);
      return fc.constantFrom(letter, `%${hex}`, `%${hex.toUpperCase()}`);
    });
  return fc.tuple(...Array.from(name, character)).map((characters) => characters.join(''));
}

const secretName = fc.constantFrom(...secretNames).chain(spellings);
const suffix = fc.constantFrom('', '[]', '[0]', '%5B%5D', '%5b12%5d');
const secretValue = fc.stringMatching(/^[A-Za-z0-9]{16,40}$/);
const others = fc.array(fc.stringMatching(/^[a-f]{1,5}=[a-f]{0,5}$/), { maxLength: 3 });

test('the value of a secret parameter is not in a logged URL, in any spelling of its name', () => {
  fc.assert(
    fc.property(others, secretName, suffix, secretValue, others, (before, name, brackets, value, after) => {
      const parameters = [...before, `${name}${brackets}=${value}`, ...after];
      const shown = redactUrl(`/v1/account/?${parameters.join('&')}`);
      assert.ok(!shown.includes(value), shown);
      assert.ok(!decodeURIComponent(shown).includes(value), shown);
      assert.match(shown, /=redacted(&|$)/);
      for (const other of [...before, ...after]) assert.ok(shown.includes(other), `${other} in ${shown}`);
    }),
    { numRuns: 500 },
  );
});

test('a secret value that is encoded or repeated is not in a logged URL', () => {
  fc.assert(
    fc.property(secretName, secretValue, (name, value) => {
      const encoded = Array.from(value, (one) => `%${one.charCodeAt(0).toString(16)}`).join('');
      const shown = redactUrl(`/pdns/v2/ping?${name}=${encoded}&${name}=${value}&&${name}==${value}`);
      assert.ok(!shown.includes(value) && !shown.includes(encoded), shown);
    }),
  );
});

for (const name of ['x-api-key', 'X-API-Key']) {
  test(`a key sent as the parameter ${name}, where the contract has a header, is not in a logged URL`, () => {
    assert.equal(
      redactUrl(`/pdns/v2/rate_limit?${name}=0123456789abcdef`).includes('0123456789abcdef'),
      false,
    );
  });
}

test('a URL without a secret parameter is logged with all its values', () => {
  for (const url of ['/v1/account', '/v1/x?domain=a.example&limit=5', '/v1/x?keyword=abc&api_username=me']) {
    assert.equal(redactUrl(url), url);
  }
});

interface Line {
  readonly msg: string;
  readonly reqId: string;
  readonly status: number;
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly user?: string;
  readonly problem?: string;
}

function requestLines(server: TestServer): readonly Line[] {
  const lines = server.log().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request');
}

for (const [route, status, operation] of [
  ['GET /v1/account/?format=json', 200, 'getAccountInfo'],
  ['GET /v1/account/?format=yaml', 400, 'getAccountInfo'],
  ['GET /v1/account/keys/', 403, 'getAccountKeys'],
  ['GET /v1/intel-detect/monitors/', 200, 'getDetectMonitors'],
  ['GET /v1/nothing', 404, undefined],
  ['GET /v1/%zz', 400, undefined],
  ['POST /batchd/v1/validate', 403, 'validate'],
  ['GET /pdns/v2/rate_limit', 200, 'rate_limit'],
  ['GET /pdns/v2/ping', 200, 'ping'],
  ['GET /healthz', 200, 'healthz'],
  ['GET /nothing', 404, undefined],
] as const) {
  test(`${route} writes one log line with its request id, status and operation`, async (t) => {
    const server = await testServer(t);
    const { key } = await server.user();
    const answer = await server.call(route, { key });
    assert.equal(answer.status, status);
    const lines = requestLines(server);
    const [method, url] = route.split(' ');
    assert.deepEqual(
      lines.map((line) => [line.method, line.url, line.status, line.operation]),
      [[method, url, status, operation]],
    );
    const id = answer.headers['x-request-id'];
    assert.match(String(id), /^[0-9a-f-]{36}$/);
    assert.equal(lines[0]?.reqId, id);
  });
}

test('a log line has the authenticated user, and the problem code of a rejected request', async (t) => {
  const server = await testServer(t);
  const { key, username } = await server.user();
  await server.call('GET /v1/account/', { key });
  await server.call('GET /v1/account/', { key: 'unknown' });
  const [known, unknown] = requestLines(server);
  assert.deepEqual([known?.user, known?.problem], [username, undefined]);
  assert.deepEqual([unknown?.user, unknown?.problem], [undefined, 'credentials-invalid']);
});

test('keys in headers, query strings and bodies are not logged', async (t) => {
  const server = await testServer(t);
  const { key, batchKey, username } = await server.user();
  const basic = Buffer.from(`${username}:${key}`).toString('base64');
  await server.call('GET /v1/account/', { key });
  await server.call('GET /v1/account/', { headers: { authorization: `Basic ${basic}` } });
  await server.call(`GET /v1/account/?api_username=${username}&api%5Fkey=${key}`);
  await server.call('POST /v1/intel-enrich/', { body: { api_username: username, api_key: key } });
  await server.call('POST /batchd/v1/validate', { body: { apikey: batchKey } });
  await server.call(`POST /batchd/v1/validate?apikey=${batchKey}`, { body: `{"apikey":"${batchKey}"` });
  assert.equal(requestLines(server).length, 6);
  for (const secret of [key, batchKey, basic]) assert.ok(!server.log().includes(secret));
});

for (const url of [
  '/v1/account/ngk_0123456789abcdef',
  '/v1/account/;api_key=0123456789abcdef',
  '/v1/account/?a=1;api_key=0123456789abcdef',
  '/v1/account/?api_username=ngk_0123456789abcdef',
  '/v1/account/?api%255Fkey=0123456789abcdef',
  '/v1/account/?pwd=0123456789abcdef',
]) {
  test(`the key in ${url} is redacted`, () => {
    assert.ok(!redactUrl(url).includes('0123456789abcdef'), redactUrl(url));
  });
}
