/** Signed requests: what is signed, and with which digest. Validity in time is tested in `signature-window.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOverSocket } from '../../harness/server/call-over-socket.ts';
import { echoedOperations, echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import {
  bodyFor,
  everyPermission,
  hasBody,
  methodOf,
  pathOf,
  repeatable,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { type Digest, queryOf, signed } from '../../harness/server/request-signature.ts';
import { type TestServer, testServer } from '../../harness/server/test-server.ts';
import { sharedInFile, type TestScope } from '../../harness/test-scope.ts';

/** The published test vectors and the credentials they use. */
const published = { username: 'acme-api', key: '0f1e2d3c-key' };
const timestamp = '2026-01-02T03:04:05Z';
const accountSha256 = 'f974df178e95319153a9725520d8f633e305a9eb6255835c5b83e0343098f1a4';
const accountSha1 = '7564d385d2d166809093d57f702efe4dca64a1f0';
const accountMd5 = 'd4cb4d35129c31f72f4a39885cb6bdaf';
const investigateSha256 = '9c673d64d6b2b42d9638f447258fb8f1e345b7f4cf94f1c33b02d1a0d6593aa7';
const feedSha256 = 'e6520f39cabdae6fae10ce030b3e1c353d774cff9229c3a8a6dc0468ee47528f';

let moments = 0;

/** A timestamp for one signature: no two requests of a test share a signature, of which a write allows one. */
function nextTimestamp(): string {
  moments = (moments + 1) % 60_000;
  return new Date(Date.parse(timestamp) + moments).toISOString();
}

type Settings = Readonly<Record<string, string>>;

async function ownServerAtVectors(scope: TestScope, settings: Settings = {}) {
  const server = await testServer(scope, {
    operations: echoOperations,
    settings: { ...withoutLimits, ...settings },
  });
  server.clock.set(timestamp);
  await server.user({ ...published, permissions: everyPermission });
  return server;
}

const sharedServer = sharedInFile(ownServerAtVectors);

/** A server that the tests share. Those that send a signature of the published vectors, which is accepted once, have one of their own. */
const serverAtVectors = (settings: Settings = {}) => sharedServer(settings);

function vector(signature: string): string {
  return queryOf({ api_username: published.username, timestamp, signature });
}

function statusOf(server: TestServer, route: string) {
  return server.call(route).then(({ status }) => status);
}

test('AUTH-08 a signature in the query authenticates every operation without the key', async () => {
  const server = await serverAtVectors();
  for (const id of repeatable) {
    const query = queryOf(signed(published, nextTimestamp(), pathOf(id)));
    const answer = await server.call(`${methodOf(id)} ${pathOf(id)}?${query}`, bodyFor(id));
    assert.equal(answer.status, 200, id);
  }
});

test('AUTH-08 a signature in a form body or a JSON body authenticates', async () => {
  const server = await serverAtVectors();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const id of echoedOperations.filter(hasBody)) {
    for (const [path, status] of [
      [pathOf(id), 200],
      ['/v1/other/', 401],
    ] as const) {
      const sent = () => ({ term: 'acme', ...signed(published, nextTimestamp(), path) });
      assert.equal((await server.call(routeOf(id), { headers, body: queryOf(sent()) })).status, status, id);
      assert.equal((await server.call(routeOf(id), { body: sent() })).status, status, id);
    }
  }
});

test('AUTH-08 a signature without its username or its timestamp returns 401', async () => {
  const server = await serverAtVectors();
  const { api_username, signature } = signed(published, timestamp, '/v1/feed/nod/');
  for (const parts of [{ signature }, { api_username, signature }, { timestamp, signature }]) {
    const query = queryOf(parts);
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query}`), 401);
  }
});

test('AUTH-09 AUTH-10 the published SHA-256 vectors verify with default settings', async (t) => {
  const server = await ownServerAtVectors(t);
  const account = await server.call(`GET /v1/account?${vector(accountSha256)}`);
  assert.equal(account.status, 200);
  assert.equal(account.json.response.account.api_username, published.username);
  assert.equal(await statusOf(server, `GET /v1/feed/nod/?${vector(feedSha256)}`), 200);
});

test('AUTH-09 the published vector for a path of the compatibility profile verifies on that path', async (t) => {
  const server = await ownServerAtVectors(t, { 'compat.profile': 'vendor' });
  const neutral = await server.call(`GET /v1/intel-investigate/?${vector(investigateSha256)}`);
  assert.equal(neutral.status, 401);
  const vendor = await server.call(`GET /v1/iris-investigate/?${vector(investigateSha256)}`);
  assert.equal(vendor.status, 200);
  assert.equal(vendor.json.operation, 'getIntelInvestigate');
});

test('AUTH-09 a signature that differs in one digit, or is in upper case, returns 401', async (t) => {
  const server = await ownServerAtVectors(t);
  for (const signature of [
    feedSha256.replace(/f$/, 'e'),
    feedSha256.replace(/^e/, 'f'),
    feedSha256.toUpperCase(),
    feedSha256.slice(1),
    `${feedSha256}0`,
    ` ${feedSha256}`,
    '',
    accountSha256,
  ]) {
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${vector(signature)}`), 401, signature);
  }
});

test('AUTH-11 SHA-1 and MD5 signatures are refused with default settings', async (t) => {
  const server = await ownServerAtVectors(t);
  for (const signature of [accountSha1, accountMd5]) {
    assert.equal(await statusOf(server, `GET /v1/account?${vector(signature)}`), 403);
  }
  for (const digest of ['sha1', 'md5'] as const) {
    const query = queryOf(signed(published, timestamp, '/v1/feed/nod/', digest));
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query}`), 401);
  }
});

test('AUTH-09 AUTH-11 the published SHA-1 and MD5 vectors verify when both are enabled', async (t) => {
  const server = await ownServerAtVectors(t, { 'auth.signatureDigests': 'sha1,md5' });
  for (const signature of [accountSha1, accountMd5, accountSha256]) {
    assert.equal(await statusOf(server, `GET /v1/account?${vector(signature)}`), 200, signature);
  }
});

test('AUTH-11 each older digest is enabled separately', async () => {
  for (const [on, off] of [
    ['sha1', 'md5'],
    ['md5', 'sha1'],
  ] as readonly [Digest, Digest][]) {
    const server = await serverAtVectors({ 'auth.signatureDigests': on });
    const query = (digest: Digest) => queryOf(signed(published, timestamp, '/v1/feed/nod/', digest));
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query(on)}`), 200, on);
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query(off)}`), 401, off);
  }
});

test('AUTH-12 the trailing slash is signed as it is sent', async () => {
  const server = await serverAtVectors();
  for (const id of repeatable) {
    const [slash, none] = [pathOf(id), pathOf(id).slice(0, -1)];
    for (const [sent, other] of [
      [slash, none],
      [none, slash],
    ] as const) {
      const call = (path: string) =>
        server.call(
          `${methodOf(id)} ${sent}?${queryOf(signed(published, nextTimestamp(), path))}`,
          bodyFor(id),
        );
      assert.equal((await call(sent)).status, 200, sent);
      assert.equal((await call(other)).status, id === 'getAccountInfo' ? 403 : 401, `${sent} for ${other}`);
    }
  }
});

test('AUTH-12 the path is signed with its version and without host and query', async (t) => {
  const server = await ownServerAtVectors(t);
  for (const [path, status] of [
    ['/v1/feed/nod/', 200],
    ['/feed/nod/', 401],
    ['v1/feed/nod/', 401],
    ['/v1/feed/nod/?top=5', 401],
    ['localhost:80/v1/feed/nod/', 401],
    ['http://localhost:80/v1/feed/nod/', 401],
    ['/V1/feed/nod/', 401],
    ['', 401],
  ] as const) {
    const query = queryOf({ top: '5', ...signed(published, timestamp, path) });
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query}`), status, path);
  }
});

test('AUTH-12 the path is signed exactly as on the request line, before slashes are collapsed or escapes decoded', async () => {
  const server = await serverAtVectors();
  for (const sent of ['//v1/feed/nod/', '/v1//feed/nod', '/v1/feed/%6Eod/']) {
    const call = async (path: string) => {
      const query = queryOf(signed(published, timestamp, path));
      return (await callOverSocket(server, `${sent}?${query}`)).status;
    };
    assert.equal(await call(sent), 200, sent);
    assert.equal(await call('/v1/feed/nod/'), 401, sent);
  }
});

test('AUTH-13 under a mount prefix, signatures with and without the prefix are accepted', async () => {
  const server = await serverAtVectors({ 'http.mountPrefix': '/dt' });
  for (const id of repeatable) {
    const call = (signedPath: string) => {
      const query = queryOf(signed(published, nextTimestamp(), signedPath));
      return server.call(`${methodOf(id)} /dt${pathOf(id)}?${query}`, bodyFor(id));
    };
    const refused = id === 'getAccountInfo' ? 403 : 401;
    assert.equal((await call(`/dt${pathOf(id)}`)).status, 200, id);
    assert.equal((await call(pathOf(id))).status, 200, id);
    assert.equal((await call(`/other${pathOf(id)}`)).status, refused, id);
    assert.equal((await call(`/dt/dt${pathOf(id)}`)).status, refused, id);
    assert.equal((await call(pathOf(id).replace('/v1', ''))).status, refused, id);
  }
});

test('AUTH-13 a prefix is not stripped where it was not sent, nor where none is configured', async () => {
  const mounted = await serverAtVectors({ 'http.mountPrefix': '/dt' });
  const query = queryOf(signed(published, timestamp, '/dt/v1/feed/nod/'));
  assert.equal(await statusOf(mounted, `GET /v1/feed/nod/?${query}`), 401);
  const plain = await serverAtVectors();
  assert.equal(await statusOf(plain, `GET /v1/feed/nod/?${query}`), 401);
});

test('AUTH-14 timestamps ending in Z, +0000 and -0800 verify with the exact text sent', async (t) => {
  const server = await ownServerAtVectors(t);
  const forms = [timestamp, '2026-01-02T03:04:05+0000', '2026-01-01T19:04:05-0800'];
  for (const form of forms) {
    const query = queryOf(signed(published, form, '/v1/feed/nod/'));
    assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query}`), 200, form);
  }
  for (const form of forms) {
    for (const other of forms.filter((one) => one !== form)) {
      const query = queryOf({ ...signed(published, form, '/v1/feed/nod/'), timestamp: other });
      assert.equal(await statusOf(server, `GET /v1/feed/nod/?${query}`), 401, `${form} sent as ${other}`);
    }
  }
});

test('AUTH-16 a signature made for another path, username or timestamp returns 401', async (t) => {
  const server = await ownServerAtVectors(t);
  const other = await server.user();
  const path = '/v1/feed/nod/';
  const right = signed(published, timestamp, path);
  for (const changed of [
    signed(published, timestamp, '/v1/feed/noh/'),
    { ...right, api_username: other.username },
    { ...right, api_username: 'nobody' },
    { ...right, api_username: published.username.toUpperCase() },
    { ...right, timestamp: '2026-01-02T03:04:06Z' },
    signed({ ...published, username: other.username }, timestamp, path),
    signed({ ...published, key: other.key }, timestamp, path),
  ]) {
    assert.equal(await statusOf(server, `GET ${path}?${queryOf(changed)}`), 401);
  }
  assert.equal(await statusOf(server, `GET ${path}?${queryOf(right)}`), 200);
});

test('AUTH-16 no operation accepts the signature of another path', async () => {
  const server = await serverAtVectors();
  for (const id of echoedOperations) {
    const other = echoedOperations.find((one) => pathOf(one) !== pathOf(id)) as typeof id;
    const query = queryOf(signed(published, timestamp, pathOf(other)));
    assert.equal((await server.call(`${routeOf(id)}?${query}`, bodyFor(id))).status, 401, id);
  }
});
