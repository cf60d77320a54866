/** What pages of other sites and stolen cookies can try. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { webOperations } from '../../../src/http/web/operations.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { sameOrigin, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const me = await webSession(server, { permissions: ['admin'] });
const { host } = sameOrigin;
const body = JSON.stringify({ preferences: { theme: 'dark' } });
const json = { 'content-type': 'application/json' };

/** A request with our cookie, and with what the browser adds for the page that caused it. */
async function change(headers: Record<string, string>): Promise<number> {
  const given = { host, cookie: me.cookie, ...json, ...headers };
  return (await server.call('PATCH /ui/api/me', { headers: given, body })).status;
}

const requested = { 'x-requested-with': 'nameglass' };

test('a write of the app itself is accepted', async () => {
  assert.equal(await change({ 'sec-fetch-site': 'same-origin', ...requested }), 200);
});

test('a write that another site causes is refused, by form, fetch or frame', async () => {
  for (const site of ['cross-site', 'same-site', 'none', 'anything'])
    assert.equal(await change({ 'sec-fetch-site': site, ...requested }), 403, site);
});

test('a write without the header that only our own scripts can add is refused', async () => {
  assert.equal(await change({ 'sec-fetch-site': 'same-origin' }), 403);
  assert.equal(await change({ 'sec-fetch-site': 'same-origin', 'x-requested-with': 'XMLHttpRequest' }), 403);
});

test('from a browser without fetch metadata, the Origin decides', async () => {
  assert.equal(await change({ origin: 'http://localhost:8080', ...requested }), 200);
  assert.equal(await change({ origin: 'http://127.0.0.1:8080', ...requested, host: '127.0.0.1:8080' }), 200);
  for (const origin of ['http://evil.example', 'null', 'http://localhost:8081', 'https://localhost:8080', ''])
    assert.equal(await change({ origin, ...requested }), 403, origin);
  assert.equal(await change(requested), 403);
});

test('behind a proxy the Origin is that of the public URL, whatever the Host header has become', async (t) => {
  const proxied = await testServer(t, { settings: { 'http.publicUrl': 'https://names.example' } });
  const post = async (origin: string) =>
    (
      await proxied.call('POST /ui/api/session/link', {
        headers: { host: '127.0.0.1:8080', origin, ...requested, ...json },
        body: '{"token":"x"}',
      })
    ).status;
  assert.deepEqual([await post('https://names.example'), await post('https://evil.example')], [401, 403]);
});

test('every operation that writes refuses another site, signed in or not', async () => {
  const writes = webOperations(server as never).filter(({ method }) => method !== 'GET');
  assert.ok(writes.length > 15);
  for (const { method, path } of writes) {
    const headers = { host, cookie: me.cookie, 'sec-fetch-site': 'cross-site', ...requested, ...json };
    const answer = await server.call(`${method} /ui/api${path.replaceAll(/:\w+/g, 'x')}`, {
      headers,
      body: '{}',
    });
    assert.deepEqual(
      [answer.status, answer.json.error.code],
      [403, 'address-not-allowed'],
      `${method} ${path}`,
    );
  }
});

test('a read that another page causes, as by an image or a script, is refused; one that a person typed is not', async () => {
  const read = async (site: string) =>
    (await server.call('GET /ui/api/me', { headers: { host, cookie: me.cookie, 'sec-fetch-site': site } }))
      .status;
  assert.deepEqual([await read('cross-site'), await read('same-site'), await read('none')], [403, 403, 200]);
});

test('a form of another site cannot send JSON, even if nothing else stopped it', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    assert.equal(
      await change({ 'sec-fetch-site': 'same-origin', ...requested, 'content-type': type }),
      400,
      type,
    );
});

test('a name of another site that resolves to our address is refused, in the app and in its API', async () => {
  for (const name of [
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ])
    for (const path of ['/ui/', '/ui/api/me', '/ui/enter?t=x']) {
      const answer = await server.call(`GET ${path}`, { headers: { host: name, cookie: me.cookie } });
      assert.notEqual(answer.status, 200, `${name} ${path}`);
      assert.match(answer.text, /Host header/);
    }
});

test('addresses, localhost and the public name are accepted as Host', async (t) => {
  const named = await testServer(t, { settings: { 'http.publicUrl': 'https://names.example' } });
  for (const name of ['127.0.0.1:8080', '[::1]:8080', 'localhost:8080', '192.0.2.5', 'names.example'])
    assert.equal((await named.call('GET /ui/api/me', { headers: { host: name } })).status, 401, name);
});

test('the cookie opens no other API: /v1, /batchd and /pdns answer as without credentials', async () => {
  const headers = {
    host,
    cookie: `${me.cookie}; __Host-${me.cookie}`,
    'sec-fetch-site': 'same-origin',
    ...requested,
  };
  for (const route of [
    'GET /v1/account/',
    'GET /v1/intel-detect/monitors/',
    'GET /pdns/v2/rate_limit',
    'POST /batchd/v1/validate',
  ]) {
    const [withCookie, without] = [await server.call(route, { headers }), await server.call(route)];
    assert.ok([401, 403].includes(withCookie.status), `${route} ${withCookie.status}`);
    assert.equal(withCookie.status, without.status, route);
  }
});

test('an API key opens nothing of the web UI', async () => {
  const { key } = await server.user({ permissions: ['admin'] });
  assert.equal((await server.call('GET /ui/api/me', { key, headers: { host } })).status, 401);
});

test('cookies that are no token are no session, and cost no more than that', async () => {
  for (const value of [
    '',
    'x',
    'A'.repeat(5000),
    '%00',
    "' or 1=1 --",
    me.cookie.slice(0, -1),
    `${me.cookie}A`,
  ])
    assert.equal(
      (await server.call('GET /ui/api/me', { headers: { host, cookie: `ng=${value}` } })).status,
      401,
    );
});

test('every answer below /ui carries the whole set of security headers', async () => {
  for (const [route, headers] of [
    ['GET /ui/', {}],
    ['GET /ui/triage', {}],
    ['GET /ui/api/me', { cookie: me.cookie }],
    ['GET /ui/api/me', {}],
    ['GET /ui/api/nothing', {}],
    ['POST /ui/api/session', {}],
    ['GET /ui/', { host: 'evil.example' }],
    ['GET /ui/api/me', { host: 'evil.example' }],
  ] as const) {
    const answer = await server.call(route, { headers: { host, ...headers } });
    const policy = answer.headers['content-security-policy'] ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      'trusted-types nameglass-worker',
      "worker-src 'self'",
      "base-uri 'none'",
    ])
      assert.ok(policy.includes(part), `${route}: ${part}`);
    assert.doesNotMatch(policy, /unsafe|\*|data:|https?:/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    assert.match(answer.headers['permissions-policy'] ?? '', /camera=\(\)/);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  }
});

test('no answer of the API is kept by a cache', async () => {
  assert.equal((await me.call('GET /me')).headers['cache-control'], 'no-store');
});
