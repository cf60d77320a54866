import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DiscoveryNeeds, startDiscovery } from '../../../src/collect/discovery/discovery.ts';
import { NameSearcher } from '../../../src/collect/discovery/name-searcher.ts';
import { discoveryWorld, listed, monitor } from '../../harness/discovering.ts';

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

function start(t: TestContext, needs: Omit<DiscoveryNeeds, 'onFailure'>) {
  const failures: unknown[] = [];
  const discovery = startDiscovery({ ...needs, onFailure: (error) => failures.push(error) });
  t.after(() => discovery.close());
  return { discovery, failures };
}

test('discovery takes names, searches for new monitors and follows records for as long as it runs', async (t) => {
  const world = discoveryWorld(t);
  await world.bring(['paypal-known.com']);
  await world.discover();
  await monitor(world, 'a', 'paypal');
  await world.bring(['paypal-fresh.com', 'example.com']);
  await world.write({ domain: 'paypal-record.com' });
  const { discovery, failures } = start(t, { ...world, nameSearch: world.search });
  await until(async () => (await listed(world.watchlist, 'a')).length === 3);
  await until(async () => discovery.statistics().pending === 0 && discovery.statistics().updates === 1);
  await discovery.close();
  assert.deepEqual(failures, []);
  const { names, discovered, lagBytes } = discovery.statistics();
  assert.deepEqual([names, discovered, lagBytes], [2, 3, 0]);
});

test('what goes wrong is reported and tried again', async (t) => {
  const world = discoveryWorld(t);
  await monitor(world, 'a', 'paypal');
  await world.searchKnown();
  await world.bring(['paypal-fresh.com']);
  const { watchlist } = world;
  const discover = watchlist.discover.bind(watchlist);
  watchlist.discover = async () => {
    watchlist.discover = discover;
    throw new Error('the disk is full');
  };
  const { discovery, failures } = start(t, { ...world, nameSearch: world.search });
  await until(async () => (await listed(world.watchlist, 'a')).length === 1);
  assert.match(String(failures), /the disk is full/);
  assert.equal(discovery.statistics().failures, 1);
});

test('a stop in the middle of a search ends it, and nothing is reported', async (t) => {
  const world = discoveryWorld(t);
  await world.bring(Array.from({ length: 5000 }, (_, index) => `paypal-${index}.com`));
  await world.discover();
  const { id } = await monitor(world, 'a', 'paypal');
  const nameSearch = new NameSearcher();
  const { discovery, failures } = start(t, { ...world, nameSearch });
  await until(async () => (await listed(world.watchlist, 'a')).length > 0);
  await discovery.close();
  await nameSearch.close();
  assert.deepEqual(failures, []);
  await world.searchKnown();
  assert.equal((await world.watchlist.findMonitor('a', id))?.status, 'completed');
  assert.equal((await listed(world.watchlist, 'a')).length, 5000);
});

test('a search that is closed finds nothing any more, and another one does', async (t) => {
  const searcher = new NameSearcher();
  t.after(() => searcher.close());
  const plan = {
    terms: [{ text: 'paypal', substringVariations: false }],
    wanted: [{ accountId: 'a', monitorId: 'm', term: 0, textExclusions: [] }],
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
