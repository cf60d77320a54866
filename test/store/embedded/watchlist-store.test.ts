import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openWatchlistStore } from '../../../src/store/embedded/watchlist-store.ts';
import type { WatchlistStore } from '../../../src/store/watchlist-store.ts';
import { watchlistStoreConformance } from '../../conformance/watchlist-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { WatchlistWorld } from '../../harness/watchlist-world.ts';

function opening(t: TestContext): () => WatchlistStore {
  const directory = temporaryDirectory(t);
  const opened: WatchlistStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openWatchlistStore(directory);
    opened.push(store);
    return store;
  };
}

watchlistStoreConformance('the embedded store', opening);

async function filled(t: TestContext, count: number) {
  const open = opening(t);
  const world = new WatchlistWorld(open());
  const [monitor, other] = [await world.monitor(), await world.monitor()];
  const names = Array.from({ length: count }, (_, index) => `n${index}.example`);
  await world.store.discover([
    ...names.map((name) => world.discovery(name, [monitor])),
    world.discovery('other.example', [other]),
  ]);
  return { open, world, monitor };
}

/** What a great change is still busy with does not keep others waiting. */
for (const [what, change] of [
  ['deleted', (world: WatchlistWorld, id: string) => world.store.deleteMonitor(world.accountId, id)],
  [
    'given other exclusions',
    (world: WatchlistWorld, id: string) =>
      world.store.updateMonitor(world.accountId, id, { textExclusions: ['n'] }, 9000),
  ],
] as const) {
  test(`while a monitor of many domains is ${what}, others decide`, async (t) => {
    const { open, world, monitor } = await filled(t, 2500);
    const elsewhere = new WatchlistWorld(open(), world.accountId);
    const { id } = await elsewhere.find('other.example');
    const order: string[] = [];
    const noting = async (name: string, work: Promise<unknown>) => {
      await work;
      order.push(name);
    };
    const by = { username: 'bob', atMs: 1 };
    await Promise.all([
      noting('change', change(world, monitor.id)),
      noting('here', world.store.triage(world.accountId, [id], 'watched', by)),
    ]);
    await elsewhere.triage('other.example', 'ignored');
    assert.deepEqual(order, ['here', 'change']);
    assert.deepEqual([await world.names('new'), await world.names('ignored')], [[], ['other.example']]);
  });
}

test('a list is paged through to its end, deep into it', async (t) => {
  const { world, monitor } = await filled(t, 3000);
  const seen = new Set<string>();
  for (let offset = 0; offset < 3000; offset += 500) {
    const names = await world.names('new', {
      monitorId: monitor.id,
      offset,
      limit: 500,
      sort: ['risk_score'],
    });
    for (const name of names) seen.add(name);
  }
  assert.equal(seen.size, 3000);
});
