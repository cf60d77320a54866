/** Credentials on the mounts of the compatibility profile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { echoedOperations, echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import {
  bodyFor,
  everyOperation,
  everyPermission,
  methodOf,
  pathOf,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';

const sharedServer = sharedServers();

const now = '2026-03-04T10:11:12Z';

async function vendorServer(settings: Readonly<Record<string, string>> = {}) {
  const server = await sharedServer({
    operations: echoOperations,
    settings: { ...withoutLimits, 'compat.profile': 'vendor', ...settings },
  });
  return { ...server, holder: await server.user({ permissions: everyPermission }) };
}

/** The paths under which the profile serves an operation. */
function vendorPaths(path: string): string[] {
  const worded = path.replace('/v1/intel-', '/v1/iris-');
  return worded === path ? [`/vendor${path}`] : [`/vendor${path}`, `/vendor${worded}`, worded];
}

test('AUTH-35 bad or missing credentials return 403 on every mount of the compatibility profile', async () => {
  const server = await vendorServer();
  const { username } = server.holder;
  for (const id of everyOperation) {
    for (const path of vendorPaths(pathOf(id))) {
      const route = `${methodOf(id)} ${path}`;
      const wrong = queryOf({ api_username: username, api_key: 'wrong' });
      const badly = queryOf(signed({ username, key: 'wrong' }, now, path));
      const answers = [
        await server.call(route, bodyFor(id)),
        await server.call(route, { key: 'wrong', ...bodyFor(id) }),
        await server.call(`${route}?${wrong}`, bodyFor(id)),
        await server.call(`${route}?${badly}`, bodyFor(id)),
      ];
      for (const answer of answers) {
        assert.deepEqual([answer.status, answer.json.error.code], [403, 403], route);
      }
    }
  }
});

test('AUTH-35 an expired key returns 403 on the mounts of the compatibility profile', async () => {
  const server = await vendorServer();
  const { key } = await server.user({ keyExpiresMs: server.clock.now() + 1000 });
  for (const path of ['/v1/iris-enrich/', '/vendor/v1/feed/nod/']) {
    assert.equal((await server.call(`GET ${path}`, { key })).status, 200);
  }
  server.clock.advanceSeconds(2);
  for (const path of ['/v1/iris-enrich/', '/vendor/v1/feed/nod/']) {
    assert.equal((await server.call(`GET ${path}`, { key })).status, 403);
  }
  assert.equal((await server.call('GET /v1/intel-enrich/', { key })).status, 401);
});

test('AUTH-35 the neutral paths keep 401 while the profile is on', async () => {
  const server = await vendorServer();
  for (const id of everyOperation.filter((one) => one !== 'getAccountInfo')) {
    for (const sent of [{}, { key: 'wrong' }]) {
      assert.equal((await server.call(routeOf(id), { ...sent, ...bodyFor(id) })).status, 401, id);
    }
  }
});

test('AUTH-35 a host of the profile answers bad credentials with 403', async () => {
  const server = await vendorServer({ 'compat.hosts': 'api.vendor.example' });
  const status = async (host: string) =>
    (await server.call('GET /v1/feed/nod/', { key: 'wrong', headers: { host } })).status;
  assert.equal(await status('api.vendor.example'), 403);
  assert.equal(await status('API.vendor.example:8443'), 403);
  assert.equal(await status('other.example'), 401);
});

test('AUTH-35 without the profile, its paths do not exist', async () => {
  const server = await sharedServer({ operations: echoOperations });
  const { key } = await server.user();
  for (const path of ['/v1/iris-enrich/', '/vendor/v1/account/', '/vendor/v1/iris-enrich/']) {
    assert.equal((await server.call(`GET ${path}`, { key })).status, 404, path);
  }
});

test('AUTH-04 AUTH-35 a valid key is accepted on every mount of the compatibility profile', async () => {
  const server = await vendorServer();
  for (const id of echoedOperations) {
    for (const path of vendorPaths(pathOf(id))) {
      const answer = await server.call(`${methodOf(id)} ${path}`, { key: server.holder.key, ...bodyFor(id) });
      assert.deepEqual([answer.status, answer.json.operation], [200, id], path);
    }
  }
});

test('AUTH-12 on the profile’s mounts the path is signed as the client sends it', async () => {
  const server = await vendorServer();
  let made = 0;
  for (const id of echoedOperations) {
    for (const path of vendorPaths(pathOf(id))) {
      const call = async (signedPath: string) => {
        made += 1;
        const timestamp = new Date(Date.parse(now) + made).toISOString();
        const query = queryOf(signed(server.holder, timestamp, signedPath));
        return (await server.call(`${methodOf(id)} ${path}?${query}`, bodyFor(id))).status;
      };
      assert.equal(await call(path), 200, path);
      if (path.includes('iris')) assert.equal(await call(pathOf(id)), 403, `${path} signed in neutral words`);
    }
  }
});

test('AUTH-13 the mount prefixes of the profile and of the server may both be omitted from the signature', async () => {
  const server = await vendorServer({ 'http.mountPrefix': '/dt' });
  const path = '/dt/vendor/v1/iris-investigate/';
  const call = async (signedPath: string) => {
    const query = queryOf(signed(server.holder, now, signedPath));
    return (await server.call(`GET ${path}?${query}`)).status;
  };
  for (const accepted of [path, '/vendor/v1/iris-investigate/', '/v1/iris-investigate/']) {
    assert.equal(await call(accepted), 200, accepted);
  }
  for (const refused of ['/dt/v1/iris-investigate/', '/v1/intel-investigate/', '/iris-investigate/']) {
    assert.equal(await call(refused), 403, refused);
  }
});
