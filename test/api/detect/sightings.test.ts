import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type DetectFixture, freshAccounts } from './detect-fixture.ts';

const fresh = await freshAccounts({ after });
const firstSeconds = Date.parse('2026-03-01T10:00:00Z') / 1000;

/** A lookalike that sensors saw, and one that they did not. */
async function sighted(): Promise<DetectFixture & { readonly seen: string; readonly quiet: string }> {
  const world = await fresh();
  await world.monitor('acme');
  const account = world.user.caller.account.id.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const [seen, quiet] = [`acme-seen-${account}.example`, `acme-quiet-${account}.example`];
  await world.discover(seen);
  await world.discover(quiet);
  const { sightings, clock } = world.server;
  const past = { firstSeconds, lastSeconds: firstSeconds + 60, count: 2 };
  const pending = [
    { domain: seen, past },
    { domain: quiet, past: undefined },
  ];
  assert.ok(await sightings.addPast(pending, await sightings.countedBatch()));
  const from = await sightings.countedBatch();
  const again = {
    domain: seen,
    firstSeconds: firstSeconds + 3600,
    lastSeconds: firstSeconds + 3600,
    count: 1,
  };
  const batch = { sensor: 'dnstap', sightings: [again], from, to: from + 1 } as const;
  assert.ok(await sightings.addSightings(batch, clock.now()));
  return { ...world, seen, quiet };
}

test('a domain that our sensors saw resolved has the times, the count and the sensors', async () => {
  const world = await sighted();
  assert.deepEqual((await world.item('new', world.seen)).sightings, {
    first: '2026-03-01T10:00:00Z',
    last: '2026-03-01T11:00:00Z',
    count: 3,
    sensors: [
      { sensor: 'dnstap', first: '2026-03-01T11:00:00Z', last: '2026-03-01T11:00:00Z', count: 1 },
      { sensor: 'passive-dns', first: '2026-03-01T10:00:00Z', last: '2026-03-01T10:01:00Z', count: 2 },
    ],
  });
});

test('a domain that no sensor saw has the members of the contract alone', async () => {
  const world = await sighted();
  assert.ok(!('sightings' in (await world.item('new', world.quiet))));
});

test('resolved_by_us keeps the domains that our sensors saw resolved, or the others', async () => {
  const world = await sighted();
  assert.deepEqual(await world.names('new', 'resolved_by_us=true'), [world.seen]);
  assert.deepEqual(await world.names('new', 'resolved_by_us=false'), [world.quiet]);
  assert.deepEqual(await world.names('watched', 'resolved_by_us=true'), []);
});

test('a value of resolved_by_us that is no boolean is refused, and the parameter is named', async () => {
  const world = await fresh();
  const { status, json } = await world.call('GET /v1/intel-detect/domains/new/?resolved_by_us=perhaps');
  assert.equal(status, 400);
  assert.match(json.error.message, /resolved_by_us/);
});
