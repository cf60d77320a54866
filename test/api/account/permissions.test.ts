/** What an account and a user are permitted to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '../../../src/model/account/permission.ts';
import { type ProductId, productIds } from '../../../src/model/product-catalogue.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import {
  echoedOperations,
  echoOperations,
  getOperation,
  routeOf,
} from '../../harness/server/echo-operations.ts';
import {
  bodyFor,
  everyOperation,
  everyPermission,
  methodOf,
  operationsOf,
  pathOf,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { TestServer } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const author = { actor: 'operator', atMs: 0 };
const detect = operationsOf('Detect', 'Campaigns');
const detectReads = detect.filter((id) => methodOf(id) === 'GET');
const detectWrites = detect.filter((id) => methodOf(id) !== 'GET');

async function probedServer(): Promise<TestServer> {
  return sharedServer({ operations: echoOperations, settings: withoutLimits });
}

async function statusOf(server: TestServer, key: string, id: string): Promise<number> {
  const answer = await server.call(routeOf(id), { key, ...bodyFor(id) });
  if (answer.status === 200) assert.equal(answer.json.operation, id);
  else assert.equal(answer.json.error.code, answer.status);
  return answer.status;
}

/** Requests counted for all products of the account: a request that took effect raises this. */
async function requestsDone(server: TestServer, key: string): Promise<number> {
  const { products } = (await server.call('GET /v1/account/', { key })).json.response;
  const counts = products.map(({ usage }: { usage: { month: string } }) => Number(usage.month));
  return counts.reduce((sum: number, count: number) => sum + count, 0);
}

test('AUTH-26 an account without Detect gets 403 on every Detect operation and can use all others', async () => {
  const server = await probedServer();
  const { key, username } = await server.user({ permissions: everyPermission });
  await server.accounts.withdraw(
    username,
    productIds.filter((id) => id.startsWith('intel-detect-')),
    author,
  );
  assert.ok(detect.length > 20);
  for (const id of echoedOperations) {
    assert.equal(await statusOf(server, key, id), detect.includes(id) ? 403 : 200, id);
  }
});

const families: Readonly<Record<string, readonly string[]>> = {
  'intel-enrich': operationsOf('Enrich'),
  'intel-investigate': operationsOf('Investigate', 'Evidence'),
  'newly-observed-domains-feed-(api)': ['getNOD', 'deleteNODSession', 'getFeedTail'],
  'newly-observed-domains-feed-(s3)': ['getFeedDownload'],
  'newly-active-domains-feed-(api)': ['getNAD', 'deleteNADSession'],
  'newly-observed-hosts-feed-(api)': ['getNOH', 'deleteNOHSession'],
  'domain-registration-data-access-protocol-feed-(api)': ['getParsedDRDAP', 'deleteDRDAPSession'],
  'real-time-domain-discovery-feed-(api)': ['getDomainDiscovery', 'deleteDomainDiscoverySession'],
  'real-time-domain-risk-(api)': ['getDomainRisk', 'deleteDomainRiskSession'],
  'real-time-domain-hotlist-(api)': ['getDomainHotlist', 'deleteDomainHotlistSession'],
  'real-time-ip-risk-(api)': ['getIPRisk', 'deleteIPRiskSession'],
  'real-time-ip-hotlist-(api)': ['getIPHotlist', 'deleteIPHotlistSession'],
};

test('AUTH-27 an account not provisioned for a product gets 403 there and can use all others', async () => {
  const server = await probedServer();
  const covered = Object.values(families).flat();
  assert.deepEqual([...covered].sort(), operationsOf('Enrich', 'Investigate', 'Evidence', 'Feeds').sort());
  for (const [product, closed] of Object.entries(families)) {
    const { key, username } = await server.user({ permissions: everyPermission });
    await server.accounts.withdraw(username, [product as ProductId], author);
    for (const id of echoedOperations) {
      const expected = closed.includes(id) ? 403 : 200;
      assert.equal(await statusOf(server, key, id), expected, `${id} without ${product}`);
    }
    await server.accounts.provision(username, [{ product: product as ProductId }], author);
    for (const id of closed) assert.equal(await statusOf(server, key, id), 200, id);
  }
});

test('AUTH-27 the archive of a feed belongs to the product of that feed', async () => {
  const server = await probedServer();
  const { key, username } = await server.user();
  await server.accounts.withdraw(username, ['real-time-ip-risk-(s3)'], author);
  for (const [feed, status] of Object.entries({
    iprisk: 403,
    daily_ip_risk: 403,
    iphotlist: 200,
    nod: 200,
  })) {
    assert.equal((await server.call(`GET /v1/download/${feed}/`, { key })).status, status, feed);
  }
});

test('AUTH-27 a product past its expiration date returns 403', async () => {
  const server = await probedServer();
  const { key, username } = await server.user();
  const grant = { product: 'intel-enrich', expirationDate: '2026-03-05' } as const;
  await server.accounts.provision(username, [grant], author);
  server.clock.set('2026-03-05T23:59:59Z');
  assert.equal(await statusOf(server, key, 'getIntelEnrich'), 200);
  server.clock.set('2026-03-06T00:00:00Z');
  assert.equal(await statusOf(server, key, 'getIntelEnrich'), 403);
  assert.equal(await statusOf(server, key, 'getIntelInvestigate'), 200);
});

test('AUTH-27 an inactive account gets 403 on every operation', async () => {
  const server = await probedServer();
  const { key, username } = await server.user({ permissions: everyPermission });
  await server.accounts.setAccountActive(username, false, author);
  for (const id of echoedOperations) assert.equal(await statusOf(server, key, id), 403, id);
});

async function assertReadOnly(server: TestServer, key: string): Promise<void> {
  for (const id of detectReads) assert.equal(await statusOf(server, key, id), 200, id);
  for (const id of detectWrites) assert.equal(await statusOf(server, key, id), 403, id);
}

test('AUTH-28 a user created by an administrator without stated permissions is read-only', async () => {
  const server = await probedServer();
  const admin = await server.user({ permissions: ['admin'] });
  const body = { username: 'newcomer' };
  const answer = await server.call('POST /v1/account/keys/', { key: admin.key, body });
  assert.equal(answer.status, 200);
  assert.ok(detectReads.length > 7 && detectWrites.length > 7);
  await assertReadOnly(server, answer.json.response.api_key);
});

test('AUTH-28 a user created on the command line without stated permissions is read-only', async () => {
  const server = await probedServer();
  const args = ['account', 'create', '--username', 'recruit', '--json'];
  const { code, out, err } = await nameglass(args, { env: server.environment });
  assert.equal(code, 0, err);
  await assertReadOnly(server, JSON.parse(out).api_key);
});

test('AUTH-29 a read-only caller of PATCH domains or POST escalations gets 403, and nothing changes', async () => {
  const server = await probedServer();
  const { key } = await server.user();
  assert.equal(await statusOf(server, key, 'patchDetectDomains'), 403);
  assert.equal(await statusOf(server, key, 'postDetectEscalations'), 403);
  assert.equal(await requestsDone(server, key), 0);
});

test('AUTH-30 a caller with write permission can call both PATCH domains and POST escalations', async () => {
  const server = await probedServer();
  for (const permissions of [
    ['triage', 'escalate'],
    ['read', 'escalate', 'triage'],
    ['admin'],
  ] as Permission[][]) {
    const { key } = await server.user({ permissions });
    assert.equal(await statusOf(server, key, 'patchDetectDomains'), 200);
    assert.equal(await statusOf(server, key, 'postDetectEscalations'), 200);
    assert.equal(await requestsDone(server, key), 2);
  }
});

const opens: Readonly<Record<'manage' | 'triage' | 'escalate', readonly string[]>> = {
  manage: [
    'postDetectMonitor',
    'putDetectMonitor',
    'deleteDetectMonitor',
    'postDetectMonitorPreview',
    'postDetectMonitorBackTest',
    'postDetectOwnDomains',
    'postDetectPassiveDomains',
    'postDetectSuggestion',
    'postDetectSuggestionUndo',
    'postDetectBlocklistsRenew',
    'putDetectBlocklistSelection',
    'deleteDetectBlocklistSelection',
    'postDetectBlocklistAllowed',
  ],
  triage: [
    'patchDetectDomains',
    'postDetectDecisionUndo',
    'postDetectNote',
    'postDetectAssignee',
    'postDetectCampaign',
    'patchDetectCampaign',
    'deleteDetectCampaign',
    'postDetectCampaignMembers',
  ],
  escalate: ['postDetectEscalations'],
};

test('AUTH-31 managing, triaging and escalating are separate permissions', async () => {
  const server = await probedServer();
  for (const [permission, open] of Object.entries(opens)) {
    const { key } = await server.user({ permissions: [permission as Permission] });
    for (const id of detectWrites) {
      assert.equal(
        await statusOf(server, key, id),
        open.includes(id) ? 200 : 403,
        `${id} with ${permission}`,
      );
    }
    for (const id of detectReads) assert.equal(await statusOf(server, key, id), 200, id);
  }
});

test('AUTH-31 with two of the three permissions, operations that need the third return 403', async () => {
  const server = await probedServer();
  for (const [lacking, closed] of Object.entries(opens)) {
    const permissions = (Object.keys(opens) as Permission[]).filter((one) => one !== lacking);
    const { key } = await server.user({ permissions });
    for (const id of detectWrites) {
      assert.equal(
        await statusOf(server, key, id),
        closed.includes(id) ? 403 : 200,
        `${id} lacks ${lacking}`,
      );
    }
  }
});

test('AUTH-32 POST, PUT and DELETE monitors without the manage permission return 403 and change nothing', async () => {
  const server = await probedServer();
  for (const permissions of [['read'], ['read', 'triage', 'escalate']] as Permission[][]) {
    const { key } = await server.user({ permissions });
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const route = `${method} ${pathOf('getDetectMonitors')}?monitor_id=kT7bQ2mXzA`;
      const answer = await server.call(route, { key, body: { term: 'acmebank' } });
      assert.deepEqual([answer.status, answer.json.error.code], [403, 403], method);
    }
    assert.equal(await requestsDone(server, key), 0);
  }
});

/** What a user with one permission alone may call, by the permission that an operation needs. */
const roles: Readonly<Record<Permission, readonly (Permission | 'owner')[]>> = {
  read: ['read'],
  triage: ['read', 'triage'],
  escalate: ['read', 'escalate'],
  manage: ['read', 'manage'],
  ingest: ['ingest'],
  admin: ['read', 'triage', 'escalate', 'manage', 'ingest', 'admin'],
};

test('AUTH-28 AUTH-31 every permission opens exactly its operations, and ingest alone reads nothing', async () => {
  const server = await probedServer();
  for (const permission of everyPermission) {
    const { username } = await server.user({ permissions: ['admin'] });
    const { key } = await server.user({ account: username, permissions: [permission] });
    for (const id of everyOperation) {
      const { permission: needed } = getOperation(id);
      const answer = await server.call(routeOf(id), { key, ...bodyFor(id) });
      const lacks = answer.status === 403 && /lacks the permission|Only the API owner/.test(answer.text);
      assert.equal(lacks, !roles[permission].includes(needed), `${id} with ${permission}`);
    }
  }
});
