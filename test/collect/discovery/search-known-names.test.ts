import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchKnownNames } from '../../../src/collect/discovery/search-known-names.ts';
import { Turns } from '../../../src/collect/discovery/turns.ts';
import type { OpenSearch } from '../../../src/model/detect/name-search.ts';
import {
  type Discovering,
  discoveryWorld,
  domainsOf,
  listed,
  monitor,
  sharedWorld,
} from '../../harness/discovering.ts';

const world = sharedWorld();

const status = async ({ watchlist }: Discovering, account: string, id: string) =>
  (await watchlist.findMonitor(account, id))?.status;

test('a new monitor finds what was known before it, and is completed then', async () => {
  await world.bring(['vaultbank-old.com', 'example.com']);
  await world.bring(['www.vaultbank-host.net'], 'noh');
  await world.discover();
  const { id } = await monitor(world, 'a0', 'vaultbank');
  assert.equal(await status(world, 'a0', id), 'pending');
  assert.deepEqual(await listed(world.watchlist, 'a0'), []);
  await world.searchKnown();
  assert.equal(await status(world, 'a0', id), 'completed');
  assert.deepEqual(await listed(world.watchlist, 'a0'), ['vaultbank-host.net', 'vaultbank-old.com']);
});

test('names of records are known too, though no feed brought them', async () => {
  await world.write({ domain: 'meridian-imported.com', mx: [{ host: 'mx.example.net' }] });
  await monitor(world, 'a1', 'meridian');
  await world.searchKnown();
  const [domain, ...others] = await domainsOf(world.watchlist, 'a1');
  assert.deepEqual([domain?.domain, domain?.mxExists, others], ['meridian-imported.com', true, []]);
});

test('how far the search has come is shown', async (t) => {
  const own = discoveryWorld(t);
  await own.bring(['one.com', 'two.com', 'three.com']);
  await own.discover();
  await own.write({ domain: 'four.com' });
  const { id } = await monitor(own, 'a', 'paypal');
  await own.searchKnown();
  assert.deepEqual((await own.watchlist.findMonitor('a', id))?.searched, { names: 4, ofNames: 4 });
});

test('a monitor that waits for nothing is not searched for again', async () => {
  await monitor(world, 'a3', 'northwind');
  await world.searchKnown();
  await world.bring(['northwind-late.com']);
  await world.discover();
  await world.watchlist.changeOwnDomains('a3', { add: ['northwind-late.com'], remove: [] });
  await world.watchlist.changeOwnDomains('a3', { add: [], remove: ['northwind-late.com'] });
  await world.searchKnown();
  assert.deepEqual(await listed(world.watchlist, 'a3'), []);
});

test('a search of several monitors of several accounts is one walk', async () => {
  await world.bring(['blueriver-x.com', 'zenithair-x.com', 'blueriver-zenithair.com']);
  await world.discover();
  await monitor(world, 'a4', 'blueriver');
  await monitor(world, 'b4', 'zenithair');
  await world.searchKnown();
  assert.deepEqual(await listed(world.watchlist, 'a4'), ['blueriver-x.com', 'blueriver-zenithair.com']);
  assert.deepEqual(await listed(world.watchlist, 'b4'), ['blueriver-zenithair.com', 'zenithair-x.com']);
});

/** A search that does something before each slice. */
function stepping(before: (slice: number) => Promise<void>) {
  let slice = 0;
  return {
    ...world,
    factTurns: new Turns(),
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

test('a search that is broken off is made anew', async () => {
  await world.bring(['redstone-x.com']);
  await world.discover();
  await world.write({ domain: 'redstone-y.com' });
  const { id } = await monitor(world, 'a5', 'redstone');
  const broken = stepping(async (slice) => {
    if (slice === 1) throw new Error('broken off');
  });
  await assert.rejects(searchKnownNames(broken), /broken off/);
  assert.equal(await status(world, 'a5', id), 'pending');
  await world.searchKnown();
  assert.equal(await status(world, 'a5', id), 'completed');
  assert.deepEqual(await listed(world.watchlist, 'a5'), ['redstone-x.com', 'redstone-y.com']);
});

test('names that come while a monitor is searched for are not missed', async () => {
  await world.bring(['example.com']);
  await world.discover();
  await monitor(world, 'a6', 'greenfield');
  const needs = stepping(async () => {
    await world.bring(['greenfield-meanwhile.com']);
    await world.discover();
  });
  await searchKnownNames(needs);
  assert.deepEqual(await listed(world.watchlist, 'a6'), ['greenfield-meanwhile.com']);
});

test('a monitor whose settings change while it is searched for is searched for again', async () => {
  await world.bring(['securesilverlaqeonline.com']);
  await world.discover();
  const { id } = await monitor(world, 'a7', 'silverlake');
  const needs = stepping(async () => {
    world.clock.advanceSeconds(1);
    await world.watchlist.updateMonitor('a7', id, { matchSubstringVariations: true }, world.clock.now());
  });
  await searchKnownNames(needs);
  assert.equal(await status(world, 'a7', id), 'pending');
  await world.searchKnown();
  assert.equal(await status(world, 'a7', id), 'completed');
  assert.deepEqual(await listed(world.watchlist, 'a7'), ['securesilverlaqeonline.com']);
});

test('MON-38 a monitor that is deleted while it is searched for finds nothing any more', async () => {
  await world.bring(['coppermine-x.com']);
  await world.discover();
  const { id } = await monitor(world, 'a8', 'coppermine');
  await searchKnownNames(stepping(async () => void (await world.watchlist.deleteMonitor('a8', id))));
  assert.deepEqual(await listed(world.watchlist, 'a8'), []);
});

test('while one process searches, another leaves it alone', async () => {
  await world.bring(['harborline-x.com']);
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
