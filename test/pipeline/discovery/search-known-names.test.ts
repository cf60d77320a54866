import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mutex } from '../../../src/concurrency/mutex.ts';
import type { OpenSearch } from '../../../src/model/detect/name-search.ts';
import { searchKnownNames } from '../../../src/pipeline/discovery/search-known-names.ts';
import {
  type DiscoveryFixture,
  discoveryWorld,
  domainsOf,
  listed,
  monitor,
  sharedWorld,
} from '../../harness/fixtures/discovery-fixture.ts';

const world = sharedWorld();

const status = async ({ monitors }: DiscoveryFixture, account: string, id: string) =>
  (await monitors.findMonitor(account, id))?.status;

test('a new monitor finds names known before it, and is then completed', async () => {
  await world.append(['vaultbank-old.com', 'example.com']);
  await world.append(['www.vaultbank-host.net'], 'noh');
  await world.discover();
  const { id } = await monitor(world, 'a0', 'vaultbank');
  assert.equal(await status(world, 'a0', id), 'pending');
  assert.deepEqual(await listed(world.watchlist, 'a0'), []);
  await world.searchKnown();
  assert.equal(await status(world, 'a0', id), 'completed');
  assert.deepEqual(await listed(world.watchlist, 'a0'), ['vaultbank-host.net', 'vaultbank-old.com']);
});

test('names of records are searched too, although no feed had them', async () => {
  await world.write({ domain: 'meridian-imported.com', mx: [{ host: 'mx.example.net' }] });
  await monitor(world, 'a1', 'meridian');
  await world.searchKnown();
  const [domain, ...others] = await domainsOf(world.watchlist, 'a1');
  assert.deepEqual([domain?.domain, domain?.mxExists, others], ['meridian-imported.com', true, []]);
});

test('the progress of the search is recorded', async (t) => {
  const own = discoveryWorld(t);
  await own.append(['one.com', 'two.com', 'three.com']);
  await own.discover();
  await own.write({ domain: 'four.com' });
  const { id } = await monitor(own, 'a', 'paypal');
  await own.searchKnown();
  assert.deepEqual((await own.monitors.findMonitor('a', id))?.searched, { names: 4, ofNames: 4 });
});

test('a completed monitor is not searched again', async () => {
  await monitor(world, 'a3', 'northwind');
  await world.searchKnown();
  await world.append(['northwind-late.com']);
  await world.discover();
  await world.monitors.changeOwnDomains('a3', { add: ['northwind-late.com'], remove: [] });
  await world.monitors.changeOwnDomains('a3', { add: [], remove: ['northwind-late.com'] });
  await world.searchKnown();
  assert.deepEqual(await listed(world.watchlist, 'a3'), []);
});

test('several monitors of several accounts are searched in one scan', async () => {
  await world.append(['blueriver-x.com', 'zenithair-x.com', 'blueriver-zenithair.com']);
  await world.discover();
  await monitor(world, 'a4', 'blueriver');
  await monitor(world, 'b4', 'zenithair');
  await world.searchKnown();
  assert.deepEqual(await listed(world.watchlist, 'a4'), ['blueriver-x.com', 'blueriver-zenithair.com']);
  assert.deepEqual(await listed(world.watchlist, 'b4'), ['blueriver-zenithair.com', 'zenithair-x.com']);
});

/** Calls a function before each slice of the search. */
function stepping(before: (slice: number) => Promise<void>) {
  let slice = 0;
  return {
    ...world,
    factsMutex: new Mutex(),
    search: {
      open: async (plan: Parameters<typeof world.search.open>[0]): Promise<OpenSearch> => {
        const open = await world.search.open(plan);
        return {
          close: () => open.close(),
          find: async function* (lines) {
            await before(slice++);
            yield* open.find(lines);
          },
        };
      },
    },
  };
}

test('an interrupted search starts over', async () => {
  await world.append(['redstone-x.com']);
  await world.discover();
  await world.write({ domain: 'redstone-y.com' });
  const { id } = await monitor(world, 'a5', 'redstone');
  const interrupted = stepping(async (slice) => {
    if (slice === 1) throw new Error('interrupted');
  });
  await assert.rejects(searchKnownNames(interrupted), /interrupted/);
  assert.equal(await status(world, 'a5', id), 'pending');
  await world.searchKnown();
  assert.equal(await status(world, 'a5', id), 'completed');
  assert.deepEqual(await listed(world.watchlist, 'a5'), ['redstone-x.com', 'redstone-y.com']);
});

test('names that arrive during the search of a monitor are not missed', async () => {
  await world.append(['example.com']);
  await world.discover();
  await monitor(world, 'a6', 'greenfield');
  const needs = stepping(async () => {
    await world.append(['greenfield-meanwhile.com']);
    await world.discover();
  });
  await searchKnownNames(needs);
  assert.deepEqual(await listed(world.watchlist, 'a6'), ['greenfield-meanwhile.com']);
});

test('a monitor whose settings change during its search is searched again', async () => {
  await world.append(['securesilverlaqeonline.com']);
  await world.discover();
  const { id } = await monitor(world, 'a7', 'silverlake');
  const needs = stepping(async () => {
    world.clock.advanceSeconds(1);
    await world.monitors.updateMonitor('a7', id, { matchSubstringVariations: true }, world.clock.now());
  });
  await searchKnownNames(needs);
  assert.equal(await status(world, 'a7', id), 'pending');
  await world.searchKnown();
  assert.equal(await status(world, 'a7', id), 'completed');
  assert.deepEqual(await listed(world.watchlist, 'a7'), ['securesilverlaqeonline.com']);
});

test('MON-38 a monitor that is deleted during its search finds nothing more', async () => {
  await world.append(['coppermine-x.com']);
  await world.discover();
  const { id } = await monitor(world, 'a8', 'coppermine');
  await searchKnownNames(stepping(async () => void (await world.monitors.deleteMonitor('a8', id))));
  assert.deepEqual(await listed(world.watchlist, 'a8'), []);
});

test('only one process searches at a time', async () => {
  await world.append(['harborline-x.com']);
  await world.discover();
  const { id } = await monitor(world, 'a9', 'harborline');
  const states: (string | undefined)[] = [];
  const needs = stepping(async () => {
    await world.searchKnown();
    states.push(await status(world, 'a9', id));
  });
  await searchKnownNames(needs);
  assert.deepEqual([...new Set(states)], ['pending']);
  assert.equal(await status(world, 'a9', id), 'completed');
});
