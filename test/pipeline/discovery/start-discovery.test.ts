import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DiscoveryNeeds, startDiscovery } from '../../../src/pipeline/discovery/start-discovery.ts';
import { ThreadedNameSearch } from '../../../src/pipeline/discovery/threaded-name-search.ts';
import { discoveryWorld, listed, monitor } from '../../harness/fixtures/discovery-fixture.ts';

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

function start(t: TestContext, needs: Omit<DiscoveryNeeds, 'onFailure'>) {
  const failures: unknown[] = [];
  const discovery = startDiscovery({ ...needs, onFailure: (error) => failures.push(error) });
  t.after(() => discovery.close());
  return { discovery, failures };
}

test('discovery consumes names, searches for new monitors and follows records while it runs', async (t) => {
  const world = discoveryWorld(t);
  await world.append(['paypal-known.com']);
  await world.discover();
  await monitor(world, 'a', 'paypal');
  await world.append(['paypal-fresh.com', 'example.com']);
  await world.write({ domain: 'paypal-record.com' });
  const { discovery, failures } = start(t, { ...world, nameSearch: world.search });
  await until(async () => (await listed(world.watchlist, 'a')).length === 3);
  await until(async () => discovery.statistics().pending === 0 && discovery.statistics().updates === 1);
  await discovery.close();
  assert.deepEqual(failures, []);
  const { names, discovered, lagBytes } = discovery.statistics();
  assert.deepEqual([names, discovered, lagBytes], [2, 3, 0]);
});

test('an error is reported and the work retried', async (t) => {
  const world = discoveryWorld(t);
  await monitor(world, 'a', 'paypal');
  await world.searchKnown();
  await world.append(['paypal-fresh.com']);
  const { watchlist } = world;
  const discover = watchlist.addDiscoveries.bind(watchlist);
  watchlist.addDiscoveries = async () => {
    watchlist.addDiscoveries = discover;
    throw new Error('the disk is full');
  };
  const { discovery, failures } = start(t, { ...world, nameSearch: world.search });
  await until(async () => (await listed(world.watchlist, 'a')).length === 1);
  assert.match(String(failures), /the disk is full/);
  assert.equal(discovery.statistics().failures, 1);
});

test('closing during a search interrupts it without an error', async (t) => {
  const world = discoveryWorld(t);
  await world.append(Array.from({ length: 5000 }, (_, index) => `paypal-${index}.com`));
  await world.discover();
  const { id } = await monitor(world, 'a', 'paypal');
  const nameSearch = new ThreadedNameSearch();
  const { discovery, failures } = start(t, { ...world, nameSearch });
  await until(async () => (await listed(world.watchlist, 'a')).length > 0);
  await discovery.close();
  await nameSearch.close();
  assert.deepEqual(failures, []);
  await world.searchKnown();
  assert.equal((await world.monitors.findMonitor('a', id))?.status, 'completed');
  assert.equal((await listed(world.watchlist, 'a')).length, 5000);
});

test('a closed search rejects, and another one works', async (t) => {
  const searcher = new ThreadedNameSearch();
  t.after(() => searcher.close());
  const plan = {
    terms: [{ text: 'paypal', substringVariations: false }],
    targets: [{ accountId: 'a', monitorId: 'm', term: 0, textExclusions: [] }],
    ownDomains: new Map(),
  };
  const search = await searcher.open(plan);
  search.close();
  await assert.rejects(search.find(Buffer.from('paypal-x.com\n'))[Symbol.asyncIterator]().next());
  const again = await searcher.open(plan);
  const [found] =
    (await again.find(Buffer.from('paypal-x.com\n'))[Symbol.asyncIterator]().next()).value ?? [];
  assert.equal(found?.domain, 'paypal-x.com');
});
