import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type TestServer, testServer } from '../harness/server/test-server.ts';

const dataPolicy = "default-src 'none'; frame-ancestors 'none'";
const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': dataPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** Headers whose values differ between requests. */
const varying = ['date', 'x-request-id', 'content-length', 'connection', 'keep-alive'];

function stableHeaders({ headers }: Answer): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.includes(name)));
}

interface Case {
  readonly name: string;
  readonly route: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: (server: TestServer) => Promise<object>;
  readonly withKey?: boolean;
}

const jsonCharset = 'application/json;charset=utf-8';
const cases: readonly Case[] = [
  {
    name: 'a platform response',
    route: 'GET /v1/account/',
    withKey: true,
    status: 200,
    headers: { 'content-type': jsonCharset },
  },
  {
    name: 'a rejected platform request',
    route: 'GET /v1/account/',
    status: 403,
    headers: { 'content-type': jsonCharset },
  },
  {
    name: 'a platform request without credentials',
    route: 'GET /v1/account/keys/',
    status: 401,
    headers: {
      'content-type': jsonCharset,
      'www-authenticate': 'Basic realm="Nameglass", charset="UTF-8"',
    },
  },
  {
    name: 'an unknown platform path',
    route: 'GET /v1/nothing/',
    status: 404,
    headers: { 'content-type': jsonCharset },
  },
  {
    name: 'a batch response',
    route: 'POST /batchd/v1/validate',
    body: async (server) => ({ apikey: (await server.user()).batchKey }),
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  {
    name: 'a rejected batch request',
    route: 'POST /batchd/v1/validate',
    status: 403,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  {
    name: 'a passive DNS response',
    route: 'GET /pdns/v2/rate_limit',
    withKey: true,
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
  },
  {
    name: 'a rejected passive DNS request',
    route: 'GET /pdns/v2/rate_limit',
    status: 403,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  },
  {
    name: 'the health check',
    route: 'GET /healthz',
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  {
    name: 'a path outside every API',
    route: 'GET /nothing',
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  },
  {
    name: 'the OpenAPI description',
    route: 'GET /openapi.json',
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
];

for (const { name, route, status, headers, body, withKey } of cases) {
  test(`${name} has exactly the expected headers`, async (t) => {
    const server = await testServer(t);
    const options = {
      ...(withKey ? { key: (await server.user()).key } : {}),
      ...(body ? { body: await body(server) } : {}),
    };
    const answer = await server.call(route, options);
    assert.equal(answer.status, status);
    assert.deepEqual(stableHeaders(answer), { ...commonHeaders, ...headers });
    assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  });
}

test('the reference page may run only its own scripts', async (t) => {
  const server = await testServer(t);
  const answer = await server.call('GET /docs/');
  assert.equal(answer.status, 200);
  const { 'content-security-policy': policy = '', ...rest } = answer.headers;
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.ok(!policy.includes('unsafe-eval') && !/https?:|\*/.test(policy), policy);
  assert.equal(rest['referrer-policy'], 'no-referrer');
  for (const name of ['cross-origin-resource-policy', 'x-content-type-options'] as const) {
    assert.equal(rest[name], commonHeaders[name]);
  }
});

const paths = [
  '/v1/account/',
  '/v1/nothing/',
  '/batchd/v1/validate',
  '/pdns/v2/ping',
  '/pdns/v2/nothing',
  '/healthz',
  '/docs/',
  '/nothing',
];

test('no response reveals the server software or its version', async (t) => {
  const server = await testServer(t);
  for (const path of paths) {
    const { headers } = await server.call(`GET ${path}`);
    for (const name of ['server', 'x-powered-by', 'via', 'x-runtime']) {
      assert.equal(headers[name], undefined, `${path} ${name}`);
    }
  }
});

test('no response allows another origin, for any Origin header', async (t) => {
  const server = await testServer(t);
  const headers = { origin: 'https://other.example', 'access-control-request-method': 'POST' };
  for (const path of paths) {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await server.call(`${method} ${path}`, { headers });
      const opened = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(opened, [], `${method} ${path}`);
    }
  }
});

test('ERR-10 an internal error reveals neither a stack trace nor its message in any dialect', async (t) => {
  const server = await testServer(t);
  const { key, batchKey } = await server.user();
  await server.accounts.close();
  const answers = await Promise.all([
    server.call('GET /v1/account/', { key }),
    server.call('POST /batchd/v1/validate', { body: { apikey: batchKey } }),
    server.call('GET /pdns/v2/rate_limit', { key }),
  ]);
  for (const { status, text } of answers) {
    assert.equal(status, 500);
    assert.ok(!/\bat |node:|\.ts|sqlite|database/i.test(text), text);
  }
});

test('Strict-Transport-Security is sent only if the public URL is https', async (t) => {
  const name = 'strict-transport-security';
  const plain = await testServer(t, { settings: { 'http.publicUrl': 'http://names.example' } });
  const secure = await testServer(t, { settings: { 'http.publicUrl': 'https://names.example' } });
  for (const path of paths) {
    assert.equal((await plain.call(`GET ${path}`)).headers[name], undefined);
    assert.match((await secure.call(`GET ${path}`)).headers[name] ?? '', /^max-age=\d{7,}/);
  }
});

test('metrics are served to operator addresses, and return 404 to others', async (t) => {
  const server = await testServer(t, { settings: { 'http.operatorAddresses': '192.0.2.0/24 2001:db8::1' } });
  const status = async (from: string) => (await server.call('GET /metrics', { from })).status;
  for (const from of ['192.0.2.9', '2001:db8::1', '::ffff:192.0.2.9'])
    assert.equal(await status(from), 200, from);
  for (const from of ['127.0.0.1', '192.0.3.1', '2001:db8::2']) assert.equal(await status(from), 404, from);
  const hidden = await server.call('GET /metrics', { from: '127.0.0.1' });
  assert.equal(hidden.text, (await server.call('GET /nothing')).text);
});

test('a forwarded address without a trusted proxy does not give access to metrics', async (t) => {
  const server = await testServer(t, { settings: { 'http.operatorAddresses': '192.0.2.9' } });
  const headers = { 'x-forwarded-for': '192.0.2.9', forwarded: 'for=192.0.2.9', 'x-real-ip': '192.0.2.9' };
  assert.equal((await server.call('GET /metrics', { headers, from: '198.51.100.1' })).status, 404);
});

test('metrics count requests by operation, with labels that clients cannot influence', async (t) => {
  const server = await testServer(t);
  const { key, username } = await server.user();
  await server.call('GET /v1/account/', { key });
  for (const path of ['/v1/made-up-1/', '/made-up-2?made=up-3', '/batchd/made-up-4', '/pdns/v2/made-up-5']) {
    await server.call(`GET ${path}`, { headers: { host: 'made-up-6', 'user-agent': 'made-up-7' } });
  }
  await server.call('PROPFIND /made-up-8');
  const { status, text } = await server.call('GET /metrics');
  assert.equal(status, 200);
  assert.match(text, /^nameglass_http_request_seconds_count\{[^}]*operation="getAccountInfo"[^}]*\} 1$/m);
  assert.ok(!text.includes('made-up') && !text.includes(key) && !text.includes(username));
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
  // Damage is counted for the whole process, by store: other tests of this process may have met some.
  labels.delete('store');
  assert.deepEqual(labels, new Set(['kind', 'le', 'operation', 'scope', 'status']));
});

test('the reference page and all its assets are served by this server', async (t) => {
  const server = await testServer(t);
  const page = await server.call('GET /docs/');
  assert.match(page.headers['content-type'] ?? '', /^text\/html/);
  const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to as string);
  assert.ok(references.length >= 4, page.text);
  for (const reference of references) {
    const { origin, pathname } = new URL(reference, 'http://here.test/docs/');
    assert.equal(origin, 'http://here.test', reference);
    const asset = await server.call(`GET ${pathname}`);
    assert.equal(asset.status, 200, pathname);
    if (!pathname.endsWith('.css')) continue;
    const external = [...asset.text.matchAll(/(?:url\(|@import)\s*["']?(https?:)?\/\//g)];
    assert.deepEqual(external, [], pathname);
  }
});

test('the reference page is found without a trailing slash', async (t) => {
  const server = await testServer(t);
  const answer = await server.call('GET /docs');
  const to = new URL(answer.headers['location'] ?? '', 'http://here.test/docs');
  const page = answer.status === 200 ? answer : await server.call(`GET ${to.pathname}`);
  assert.equal(page.status, 200);
  assert.equal(to.origin, 'http://here.test');
});

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>;
}

test('every $ref in the OpenAPI description resolves', async (t) => {
  const { json } = await (await testServer(t)).call('GET /openapi.json');
  assert.match((json as Description).openapi, /^3\.1\./);
  for (const reference of referencesIn(json)) {
    const found = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[unescape(step)], json);
    assert.ok(found !== undefined, `${reference} does not resolve`);
  }
});

test('every operation of the OpenAPI description has a unique id', async (t) => {
  const description = (await (await testServer(t)).call('GET /openapi.json')).json as Description;
  const ids = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      assert.ok(operationId, `${method} ${path} has no operationId`);
      return operationId;
    }),
  );
  assert.ok(ids.length > 5);
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
});

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

/** Decodes a step of a JSON pointer. */
function unescape(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}
