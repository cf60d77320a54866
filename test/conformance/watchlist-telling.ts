/** Events, and those who are told of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewSubscription } from '../../src/store/watchlist-store.ts';
import { WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld, OpenWatchlistStore } from './watchlist-store.ts';

const wish: NewSubscription = {
  by: 'webhook',
  target: 'https://hooks.example/1',
  events: ['discovered', 'escalated'],
  every: 'event',
  seed: 'shared',
  createdBy: 'ann',
  createdMs: 1000,
  nextMs: 1000,
};

export function watchlistTelling(newWorld: NewWorld, open: OpenWatchlistStore): void {
  happening(newWorld);
  subscribing(newWorld);
  leasing(open);
}

function happening(newWorld: NewWorld): void {
  test('events of an account rise, are listed after one of them, and by kind', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const monitor = await world.monitor();
    await other.discover('x.example', [await other.monitor()]);
    for (const name of ['a.example', 'b.example', 'c.example']) await world.discover(name, [monitor]);
    await world.escalate('b.example', 'blocked');
    const list = (page: { afterId: number; limit: number; kinds?: ['escalated'] }) =>
      world.store.listEvents(world.accountId, page);
    const all = await list({ afterId: 0, limit: 99 });
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      [
        all.map(({ domain }) => domain[0]).join(''),
        await list({ afterId: ids[0] as number, limit: 2 }),
        await list({ afterId: 0, limit: 99, kinds: ['escalated'] }),
        await world.store.lastEventId(world.accountId),
        await world.store.lastEventId('nobody'),
      ],
      ['abcb', all.slice(1, 3), all.slice(3), ids.at(-1), 0],
    );
  });

  test('an event tells the domain, its id and the monitors that it names', async () => {
    const world = newWorld();
    const [one, hiding] = [await world.monitor(), await world.monitor({ textExclusions: ['a'] })];
    await world.discover('a.example', [one, hiding], { discoveredMs: 77 });
    const [{ id: _, ...event } = {}] = await world.store.listEvents(world.accountId, {
      afterId: 0,
      limit: 1,
    });
    assert.deepEqual(event, {
      kind: 'discovered',
      atMs: 77,
      domainId: (await world.find('a.example')).id,
      domain: 'a.example',
      monitorIds: [one.id],
      detail: {},
    });
  });

  test('events before a time are pruned, and numbers are not used again', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    await world.discover('a.example', [monitor], { discoveredMs: 1 });
    const before = await world.store.lastEventId(world.accountId);
    await world.store.pruneEvents(2);
    assert.deepEqual(await world.events(), []);
    await world.discover('b.example', [monitor], { discoveredMs: 2 });
    await world.store.pruneEvents(2);
    assert.deepEqual(await world.events(), ['discovered b.example']);
    assert.ok((await world.store.lastEventId(world.accountId)) > before);
  });
}

function subscribing(newWorld: NewWorld): void {
  test('a subscription begins with what happens from now on', async () => {
    const world = newWorld();
    await world.discover('a.example', [await world.monitor()]);
    const { id, ...subscription } = await world.store.createSubscription(world.accountId, wish);
    assert.match(id, /^[A-Za-z0-9]{10}$/);
    assert.deepEqual(subscription, {
      ...wish,
      accountId: world.accountId,
      toldId: await world.store.lastEventId(world.accountId),
      failures: 0,
      error: undefined,
    });
    assert.deepEqual(await world.store.listSubscriptions(world.accountId), [{ id, ...subscription }]);
  });

  test('a subscription is deleted by its own account, once', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const { id } = await world.store.createSubscription(world.accountId, wish);
    const remove = (one: WatchlistWorld) => one.store.deleteSubscription(one.accountId, id);
    assert.deepEqual([await remove(other), await remove(world), await remove(world)], [false, true, false]);
  });
}

function leasing(open: OpenWatchlistStore): void {
  test('whoever has something to hear, and whose time has come, is leased to one', async (t) => {
    const handle = open(t);
    const [store, other] = [handle(), handle()];
    const world = new WatchlistWorld(store);
    const { id } = await store.createSubscription(world.accountId, wish);
    await store.createSubscription(world.accountId, { ...wish, events: ['changed'] });
    await store.createSubscription(world.accountId, { ...wish, nextMs: 5000 });
    const lease = (each: typeof store, nowMs: number) => each.leaseSubscriptions(9, nowMs, nowMs + 100);
    const quiet = await lease(store, 2000);
    await world.discover('a.example', [await world.monitor()]);
    const leased = (await Promise.all([lease(store, 2000), lease(other, 2000)])).flat();
    const held = await lease(other, 2099);
    const expired = await lease(other, 2100);
    assert.deepEqual(
      [quiet, leased.map((one) => one.id), held, expired.map((one) => one.id)],
      [[], [id], [], [id]],
    );
  });

  test('what was told is not told again, and a failure waits for its time', async (t) => {
    const store = open(t)();
    const world = new WatchlistWorld(store);
    const monitor = await world.monitor();
    const { id, toldId } = await store.createSubscription(world.accountId, wish);
    await world.discover('a.example', [monitor]);
    const lease = (nowMs: number) => store.leaseSubscriptions(9, nowMs, nowMs + 1000);
    await lease(2000);
    await store.settleSubscription(id, { toldId, failures: 1, error: 'refused', nextMs: 3000 });
    const [failed] = await store.listSubscriptions(world.accountId);
    const early = await lease(2999);
    const [again] = await lease(3000);
    const told = await store.lastEventId(world.accountId);
    await store.settleSubscription(id, { toldId: told, failures: 0, nextMs: 3000 });
    const none = await lease(9000);
    await world.discover('b.example', [monitor]);
    const [next] = await lease(9000);
    assert.deepEqual(
      [failed?.failures, failed?.error, early, again?.toldId, none, next?.toldId, next?.error],
      [1, 'refused', [], toldId, [], told, undefined],
    );
  });
}
