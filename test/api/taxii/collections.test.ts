/** TAXII 2.1: discovery, collections, objects and what becomes of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facts } from '../../harness/fixtures/watch-domains.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { objectListFaults } from '../../product/export/stix-rules.ts';
import { mediaType, type StixObject } from './taxii-client.ts';
import { type TaxiiFixture, taxiiFixture } from './taxii-fixture.ts';

const sharedServer = sharedServers();

const named = (objects: readonly StixObject[], type: string) =>
  objects.filter((object) => object.type === type);
const indicators = (objects: readonly StixObject[]) =>
  named(objects, 'indicator').map(({ name, revoked = false }) => [name, revoked]);

test('a client finds the API root and the collections of its account from the discovery', async () => {
  const fixture = await taxiiFixture(await sharedServer());
  const { client, monitorId } = fixture;
  const root = await client.apiRoot();
  assert.deepEqual((await client.get(root)).json.versions, [mediaType]);
  const collections = await client.collections();
  assert.deepEqual(
    collections.map(({ alias, can_read, can_write }) => [alias, can_read, can_write]),
    ['blocked', 'watched', 'lookalikes-new', 'hotlist', `monitor-${monitorId}`].map((alias) => [
      alias,
      true,
      false,
    ]),
  );
  for (const collection of collections) {
    assert.match(collection.id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(collection.media_types, ['application/stix+json;version=2.1']);
    for (const name of [collection.id, collection.alias])
      assert.deepEqual((await client.get(`${root}collections/${name}/`)).json, collection);
  }
});

test('a collection gives identity, marking, observable, indicator, relationship and sighting by the rules of STIX', async () => {
  const { client, find, decide } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example', 'acme.top']);
  await decide('blocked', ['acme-login.example']);
  const { objects } = await client.readAll('blocked');
  assert.deepEqual(objectListFaults(objects), []);
  assert.deepEqual(
    objects.map(({ type }) => type),
    ['marking-definition', 'identity', 'domain-name', 'indicator', 'relationship', 'sighting'],
  );
  const [indicator] = named(objects, 'indicator');
  assert.equal(indicator?.['pattern'], "[domain-name:value = 'acme-login.example']");
  assert.deepEqual(indicator?.['indicator_types'], ['malicious-activity']);
  assert.deepEqual(indicators((await client.readAll('lookalikes-new')).objects), [['acme.top', false]]);
});

test('a second reading gives the same objects with the same ids', async () => {
  const { client, find } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example', 'acme.top']);
  const first = await client.readAll('lookalikes-new');
  assert.deepEqual(await client.readAll('lookalikes-new'), first);
});

const withdrawals: Readonly<
  Record<string, (fixture: TaxiiFixture, decision: string | undefined) => unknown>
> = {
  'an undone block': ({ undo }, decision) => undo(decision),
  'an allowed name': ({ allow }) => allow(['acme-login.example']),
  'an allowed name above it': ({ allow }) => allow(['example']),
  'a domain of one’s own': ({ server, accountId }) =>
    server.monitors.changeOwnDomains(accountId, { add: ['acme-login.example'], remove: [] }),
};

for (const [what, withdraw] of Object.entries(withdrawals)) {
  test(`${what} comes as a revoked version of what was said`, async () => {
    const fixture = await taxiiFixture(await sharedServer());
    const { client, find, decide, server } = fixture;
    await find(['acme-login.example', 'acme.top']);
    const decision = await decide('blocked', ['acme-login.example']);
    const before = await client.readAll('blocked');
    server.clock.advanceSeconds(1);
    await withdraw(fixture, decision);
    const after = await client.readAll('blocked', { added_after: before.last ?? '' });
    assert.deepEqual(
      after.objects.map(({ type, revoked }) => [type, revoked]),
      [
        ['indicator', true],
        ['relationship', true],
        ['sighting', true],
      ],
    );
    const later = after.objects.map((object) => before.objects.find(({ id }) => id === object.id));
    for (const [index, object] of after.objects.entries())
      assert.ok((object.modified ?? '') > (later[index]?.modified ?? assert.fail('another object')));
    assert.deepEqual(objectListFaults([...before.objects, ...after.objects]), []);
  });
}

test('what is blocked again after a revocation is another indicator', async () => {
  const { client, find, decide, undo } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example']);
  // The clock stands still: versions differ all the same.
  await undo(await decide('blocked', ['acme-login.example']));
  const all: StixObject[] = [];
  let last: string | undefined;
  for (const step of [0, 1, 2, 3]) {
    const decision = step % 2 === 0 ? await decide('blocked', ['acme-login.example']) : undefined;
    const read = await client.readAll('blocked', last === undefined ? {} : { added_after: last });
    all.push(...read.objects);
    last = read.last;
    await undo(decision);
  }
  assert.deepEqual(objectListFaults(all), []);
  assert.deepEqual(indicators(all), [
    ['acme-login.example', false],
    ['acme-login.example', true],
    ['acme-login.example', false],
    ['acme-login.example', true],
  ]);
  assert.equal(new Set(named(all, 'indicator').map(({ id }) => id)).size, 2);
});

test('a lookalike that is watched stays one, and one that is ignored is revoked', async () => {
  const { client, find, decide, monitorId } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example', 'acme.top']);
  const lists = ['lookalikes-new', `monitor-${monitorId}`];
  const before = await Promise.all(lists.map((list) => client.readAll(list)));
  await decide('watched', ['acme-login.example']);
  await decide('ignored', ['acme.top']);
  for (const [index, list] of lists.entries()) {
    const { objects } = await client.readAll(list, { added_after: before[index]?.last ?? '' });
    assert.deepEqual(indicators(objects), [['acme.top', true]]);
  }
  assert.deepEqual(indicators((await client.readAll('watched')).objects), [['acme-login.example', false]]);
});

test('a score and addresses that change make new versions, and an address that goes is revoked', async () => {
  const { client, find, server } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example']);
  let checkpoint = await server.watchlist.recordChangesCheckpoint();
  const record = async (riskScore: number, ip: readonly string[]) => {
    const shared = { registrar: '', ip, country: [], certificate: [], analytics: [] };
    const change = {
      domain: 'acme-login.example',
      facts: { ...facts, riskScore, shared },
      changed: undefined,
    };
    const moved = { from: checkpoint, to: String(Number(checkpoint) + 1) };
    assert.ok(await server.watchlist.applyRecordChanges([change], moved, server.clock.now()));
    checkpoint = moved.to;
  };
  await record(40, ['192.0.2.1', '2001:db8::1']);
  const first = await client.readAll('lookalikes-new');
  await record(90, ['192.0.2.1', '192.0.2.2']);
  const second = await client.readAll('lookalikes-new', { added_after: first.last ?? '' });
  assert.deepEqual(objectListFaults([...first.objects, ...second.objects]), []);
  assert.deepEqual(
    [...named(first.objects, 'indicator'), ...named(second.objects, 'indicator')].map(
      ({ confidence }) => confidence,
    ),
    [40, 90],
  );
  assert.deepEqual(
    second.objects.map(({ type, relationship_type, value, revoked }) => [
      type,
      relationship_type ?? value,
      revoked ?? false,
    ]),
    [
      ['indicator', undefined, false],
      ['ipv4-addr', '192.0.2.2', false],
      ['relationship', 'resolves-to', false],
      ['relationship', 'resolves-to', true],
    ],
  );
});

test('the collection of a deleted monitor stays, and what it said is revoked', async () => {
  const { client, find, server, accountId, monitorId } = await taxiiFixture(await sharedServer());
  await find(['acme-login.example']);
  const list = `monitor-${monitorId}`;
  const { last } = await client.readAll(list);
  await server.monitors.deleteMonitor(accountId, monitorId);
  assert.ok((await client.collections()).some(({ alias }) => alias === list));
  const { objects } = await client.readAll(list, { added_after: last ?? '' });
  assert.deepEqual(indicators(objects), [['acme-login.example', true]]);
});

test('nothing of another account is in a collection, and its id leads nowhere', async () => {
  const server = await sharedServer();
  const [mine, other] = [await taxiiFixture(server), await taxiiFixture(server)];
  await mine.find(['acme-login.example']);
  await other.find(['acme-other.example']);
  assert.deepEqual(indicators((await mine.client.readAll('lookalikes-new')).objects), [
    ['acme-login.example', false],
  ]);
  const ids = new Set((await mine.client.collections()).map(({ id }) => id));
  for (const { id, alias } of await other.client.collections()) {
    assert.ok(!ids.has(id), alias);
    assert.equal((await mine.client.get(`/taxii2/api/collections/${id}/`)).status, 404);
  }
  const { status } = await mine.client.get(`/taxii2/api/collections/monitor-${other.monitorId}/objects/`);
  assert.equal(status, 404);
});
