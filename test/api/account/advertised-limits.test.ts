/** The limits that the account summary advertises are the ones that are enforced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import { bodyFor } from '../../harness/server/every-operation.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';

import { feeds, type Product, productOf, productsOf } from './account-products.ts';

const sharedServer = sharedServers();

const author = { actor: 'operator', atMs: 0 };

test('ACC-09 by default no per-minute limit is null, and one that the contract does not name is 600', async () => {
  const server = await sharedServer();
  const user = await server.user();
  for (const { id, per_minute_limit } of await productsOf(server, user.key)) {
    const named = id.endsWith('-(api)') ? '2' : id === 'intel-detect-escalate-domains' ? '30' : undefined;
    assert.equal(per_minute_limit, named ?? '600', id);
  }
});

test('ACC-10 the limits of the contract are advertised', async () => {
  const server = await sharedServer();
  const user = await server.user();
  const limits = new Map((await productsOf(server, user.key)).map((product) => [product.id, product]));
  for (const name of ['monitors', 'new-domains', 'watched-domains']) {
    assert.equal(limits.get(`intel-detect-${name}`)?.per_hour_limit, '1', name);
  }
  assert.equal(limits.get('intel-detect-escalate-domains')?.per_minute_limit, '30');
  for (const feed of feeds) {
    const { per_minute_limit, per_hour_limit } = limits.get(`${feed}-(api)`) as Product;
    assert.deepEqual([per_minute_limit, per_hour_limit], ['2', '120'], feed);
  }
});

const limited = [
  { id: 'intel-detect-monitors', operation: 'getDetectMonitors', limit: 'per_hour_limit', seconds: 3600 },
  {
    id: 'intel-detect-new-domains',
    operation: 'getDetectNewDomains',
    limit: 'per_hour_limit',
    seconds: 3600,
  },
  {
    id: 'intel-detect-watched-domains',
    operation: 'getDomainsWatched',
    limit: 'per_hour_limit',
    seconds: 3600,
  },
  {
    id: 'intel-detect-escalate-domains',
    operation: 'postDetectEscalations',
    limit: 'per_minute_limit',
    seconds: 60,
  },
  { id: 'newly-observed-domains-feed-(api)', operation: 'getNOD', limit: 'per_minute_limit', seconds: 60 },
  { id: 'real-time-ip-hotlist-(api)', operation: 'getIPHotlist', limit: 'per_minute_limit', seconds: 60 },
] as const;

for (const { id, operation, limit, seconds } of limited) {
  test(`ACC-10 ${id} answers exactly as many requests as its ${limit} allows`, async () => {
    const server = await sharedServer({ operations: echoOperations });
    const user = await server.user({ permissions: ['escalate'] });
    const request = () => server.call(routeOf(operation), { key: user.key, ...bodyFor(operation) });
    const advertised = Number((await productOf(server, user.key, id))[limit]);
    for (let made = 0; made < advertised; made += 1) assert.equal((await request()).status, 200);
    assert.equal((await request()).status, 429);
    server.clock.advanceSeconds(seconds);
    assert.equal((await request()).status, 200);
  });
}

test('ACC-10 a feed answers as many requests per hour as it advertises', async () => {
  const server = await sharedServer({
    operations: echoOperations,
    settings: { 'limits.feed.queriesPerMinute': '1000' },
  });
  const user = await server.user();
  const advertised = await productOf(server, user.key, 'newly-observed-domains-feed-(api)');
  assert.equal(advertised.per_hour_limit, '120');
  for (let made = 0; made < 120; made += 1) {
    assert.equal((await server.call(routeOf('getNOD'), { key: user.key })).status, 200);
  }
  assert.equal((await server.call(routeOf('getNOD'), { key: user.key })).status, 429);
});

test('ACC-10 a limit from the configuration or the account is both advertised and enforced', async () => {
  const settings = { 'limits.detect.monitorsQueriesPerHour': '3' };
  const server = await sharedServer({ operations: echoOperations, settings });
  const user = await server.user();
  await server.accounts.provision(user.username, [{ product: 'intel-enrich', perMinute: 4 }], author);
  for (const [id, operation, size] of [
    ['intel-detect-monitors', 'getDetectMonitors', 3],
    ['intel-enrich', 'getIntelEnrich', 4],
  ] as const) {
    const { per_hour_limit, per_minute_limit } = await productOf(server, user.key, id);
    assert.equal(id === 'intel-enrich' ? per_minute_limit : per_hour_limit, String(size));
    const request = () => server.call(routeOf(operation), { key: user.key });
    for (let made = 0; made < size; made += 1) assert.equal((await request()).status, 200);
    assert.equal((await request()).status, 429);
  }
});
