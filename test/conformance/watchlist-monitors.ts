/** Monitors: made, changed, counted, deleted, and seen by those who match. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facts, WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld, OpenWatchlistStore } from './watchlist-store.ts';

export function watchlistMonitors(newWorld: NewWorld, open: OpenWatchlistStore): void {
  changing(newWorld);
  listing(newWorld);
  deleting(newWorld);
  matching(newWorld, open);
}

function changing(newWorld: NewWorld): void {
  test('MON-04 the id of a monitor is ten letters and digits', async () => {
    assert.match((await newWorld().monitor()).id, /^[A-Za-z0-9]{10}$/);
  });

  test('MON-06 MON-07 MON-08 a new monitor is active and pending, and knows who made it when', async () => {
    const world = newWorld();
    const settings = {
      term: 'acme',
      matchSubstringVariations: true,
      nameserverExclusions: ['*.acme.example'],
      textExclusions: ['school'],
    };
    const { id, ...monitor } = await world.monitor(settings, 1234);
    assert.deepEqual(monitor, {
      ...settings,
      createdMs: 1234,
      updatedMs: 1234,
      state: 'active',
      status: 'pending',
      createdBy: 'ann',
      searched: { names: 0, ofNames: 0 },
    });
    assert.deepEqual(await world.store.findMonitor(world.accountId, id), { id, ...monitor });
  });

  test('MON-35 a monitor of another account is one that does not exist', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const { id } = await world.monitor();
    assert.deepEqual(
      [
        await other.store.findMonitor(other.accountId, id),
        await other.store.updateMonitor(other.accountId, id, { textExclusions: ['x'] }, 2000),
        await other.store.deleteMonitor(other.accountId, id),
        (await world.store.findMonitor(world.accountId, id))?.textExclusions,
      ],
      [undefined, undefined, false, []],
    );
  });

  test('MON-05 MON-31 a change keeps what it leaves out, and moves the time of the change', async () => {
    const world = newWorld();
    const before = await world.monitor({ textExclusions: ['school'] });
    const change = { nameserverExclusions: ['*.acme.example'] };
    const after = await world.store.updateMonitor(world.accountId, before.id, change, 5000);
    assert.deepEqual(after, { ...before, ...change, updatedMs: 5000 });
  });

  test('two changes of one moment have two times', async () => {
    const world = newWorld();
    const { id } = await world.monitor();
    const update = () => world.store.updateMonitor(world.accountId, id, { textExclusions: [] }, 5000);
    assert.ok(((await update())?.updatedMs as number) < ((await update())?.updatedMs as number));
  });

  test('MON-07 a search that is done completes the monitor, and shows how far it has come before', async () => {
    const world = newWorld();
    const { id, updatedMs } = await world.monitor();
    const note = (names: number, done: boolean) =>
      world.store.noteSearch(world.accountId, id, { names, ofNames: 9, done, updatedMs });
    const shown = async () => {
      const monitor = await world.store.findMonitor(world.accountId, id);
      return [monitor?.status, monitor?.searched.names, monitor?.searched.ofNames];
    };
    await note(4, false);
    const underway = await shown();
    await note(9, true);
    assert.deepEqual(
      [underway, await shown()],
      [
        ['pending', 4, 9],
        ['completed', 9, 9],
      ],
    );
  });

  test('a search for settings that changed meanwhile completes nothing', async () => {
    const world = newWorld();
    const { id, updatedMs } = await world.monitor();
    await world.store.updateMonitor(world.accountId, id, { matchSubstringVariations: true }, 1000);
    await world.store.noteSearch(world.accountId, id, { names: 9, ofNames: 9, done: true, updatedMs });
    assert.equal((await world.store.findMonitor(world.accountId, id))?.status, 'pending');
  });

  for (const [what, change, status] of [
    ['turning substring variations on', { matchSubstringVariations: true }, 'pending'],
    ['adding an exclusion', { textExclusions: ['old', 'x'] }, 'completed'],
    ['taking away an excluded text', { textExclusions: [] }, 'pending'],
  ] as const) {
    test(`${what} leaves a completed monitor ${status}`, async () => {
      const world = newWorld();
      const { id, updatedMs } = await world.monitor({ textExclusions: ['old'] });
      await world.store.noteSearch(world.accountId, id, { names: 9, ofNames: 9, done: true, updatedMs });
      const after = await world.store.updateMonitor(world.accountId, id, change, 2000);
      assert.equal(after?.status, status);
    });
  }

  test('turning substring variations off takes away no match', async () => {
    const world = newWorld();
    const monitor = await world.monitor({ matchSubstringVariations: true });
    await world.discover('my-paypa1.example', [monitor]);
    await world.store.updateMonitor(world.accountId, monitor.id, { matchSubstringVariations: false }, 2000);
    assert.deepEqual(await world.names('new'), ['my-paypa1.example']);
  });

  test('DOM-04 domains of an inactive monitor are neither new nor ignored, and back when it is active', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    for (const name of ['a.example', 'b.example', 'c.example']) await world.discover(name, [monitor]);
    await world.triage('b.example', 'watched');
    await world.triage('c.example', 'ignored');
    const lists = async () => [
      await world.names('new'),
      await world.names('watched'),
      await world.names('ignored'),
    ];
    await world.store.updateMonitor(world.accountId, monitor.id, { state: 'inactive' }, 4000);
    const inactive = await lists();
    const again = await world.store.updateMonitor(world.accountId, monitor.id, { state: 'active' }, 5000);
    assert.deepEqual(
      [inactive, await lists(), again?.status],
      [[[], ['b.example'], []], [['a.example'], ['b.example'], ['c.example']], 'pending'],
    );
  });
}

function listing(newWorld: NewWorld): void {
  test('MON-01 MON-02 the list has all monitors of the account and no other, and their number', async () => {
    const [world, other] = [newWorld(), newWorld()];
    for (const term of ['one', 'two', 'three']) await world.monitor({ term });
    await other.monitor({ term: 'four' });
    const { total, monitors } = await world.monitors({ limit: 2 });
    assert.deepEqual([total, monitors.map(({ term }) => term)], [3, ['one', 'three']]);
  });

  test('MON-13 MON-15 MON-17 monitors are sorted by term or time, both ways, equals by the next key', async () => {
    const world = newWorld();
    await world.monitor({ term: 'b' }, 1000);
    await world.monitor({ term: 'a' }, 2000);
    await world.monitor({ term: 'b' }, 3000);
    const order = async (query: Parameters<typeof world.monitors>[0]) =>
      (await world.monitors(query)).monitors.map(({ term, createdMs }) => term + createdMs).join(' ');
    assert.deepEqual(
      [
        await order({ sort: ['term'] }),
        await order({ sort: ['term'], descending: true }),
        await order({ sort: ['created_date'], descending: true }),
        await order({ sort: ['term', 'created_date'], offset: 1, limit: 1 }),
      ],
      ['a2000 b1000 b3000', 'b3000 b1000 a2000', 'b3000 a2000 b1000', 'b1000'],
    );
  });

  test('MON-09 without a time to count from there are no counts', async () => {
    const world = newWorld();
    await world.monitor();
    assert.equal('counts' in ((await world.monitors()).monitors[0] ?? {}), false);
  });

  test('MON-10 MON-12 counts begin at a time, each by its own date', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    for (const [name, discoveredMs] of [
      ['early.example', 100],
      ['late.example', 300],
      ['ignored.example', 300],
      ['watched.example', 100],
      ['escalated.example', 100],
    ] as const) {
      await world.discover(name, [monitor], { discoveredMs });
    }
    await world.triage('ignored.example', 'ignored');
    await world.triage('watched.example', 'watched', { username: 'bob', atMs: 200 });
    await world.escalate('escalated.example', 'blocked', { username: 'bob', atMs: 250 });
    await world.news([{ domain: 'watched.example', facts, changed: { atMs: 300, fields: ['mx'] } }]);
    const counts = async (countsSinceMs: number) =>
      Object.values((await world.monitors({ countsSinceMs })).monitors[0]?.counts ?? {});
    assert.deepEqual(
      [await counts(100), await counts(201), await counts(251), await counts(300), await counts(301)],
      [
        [5, 2, 1, 1],
        [2, 1, 1, 1],
        [2, 0, 1, 0],
        [2, 0, 1, 0],
        [0, 0, 0, 0],
      ],
    );
  });

  test('MON-12 what the exclusions of a monitor leave out is not counted for it', async () => {
    const world = newWorld();
    const [one, other] = [
      await world.monitor({ term: 'one', textExclusions: ['school'] }),
      await world.monitor({ term: 'two' }),
    ];
    await world.discover('school.example', [one, other]);
    const { monitors } = await world.monitors({ countsSinceMs: 0 });
    assert.deepEqual(
      monitors.map(({ counts }) => counts?.new),
      [0, 1],
    );
  });

  test('MON-14 MON-16 monitors are sorted by counts, which then are there', async () => {
    const world = newWorld();
    const few = await world.monitor({ term: 'few' });
    const many = await world.monitor({ term: 'many' });
    await world.monitor({ term: 'none' });
    await world.discover('a.example', [few, many]);
    await world.discover('b.example', [many]);
    await world.triage('a.example', 'watched');
    await world.news([{ domain: 'a.example', facts, changed: { atMs: 300, fields: ['mx'] } }]);
    const order = async (sort: 'domain_counts_discovered' | 'domain_counts_changed', descending: boolean) =>
      (await world.monitors({ sort: [sort, 'term'], descending })).monitors.map(
        ({ term, counts }) => `${term} ${counts?.new} ${counts?.changed}`,
      );
    assert.deepEqual(
      [await order('domain_counts_discovered', true), await order('domain_counts_changed', false)],
      [
        ['many 2 1', 'few 1 1', 'none 0 0'],
        ['none 0 0', 'few 1 1', 'many 2 1'],
      ],
    );
  });
}

function deleting(newWorld: NewWorld): void {
  test('MON-37 a deleted monitor is gone, and deleted once', async () => {
    const world = newWorld();
    const { id } = await world.monitor();
    assert.deepEqual(
      [
        await world.store.deleteMonitor(world.accountId, id),
        await world.store.deleteMonitor(world.accountId, id),
        await world.store.findMonitor(world.accountId, id),
        (await world.monitors()).total,
      ],
      [true, false, undefined, 0],
    );
  });

  test('MON-38 domains that no other monitor matched leave all lists with it, the others stay', async () => {
    const world = newWorld();
    const [one, other] = [await world.monitor(), await world.monitor()];
    for (const name of ['a.example', 'b.example', 'c.example']) await world.discover(name, [one]);
    await world.discover('both.example', [one, other]);
    await world.triage('b.example', 'watched');
    await world.triage('c.example', 'ignored');
    await world.store.deleteMonitor(world.accountId, one.id);
    assert.deepEqual(
      [await world.names('new'), await world.names('watched'), await world.names('ignored')],
      [['both.example'], [], []],
    );
    assert.deepEqual((await world.find('both.example')).monitorIds, [other.id]);
  });

  test('MON-38 nothing is found for a deleted monitor', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    await world.store.deleteMonitor(world.accountId, monitor.id);
    assert.deepEqual(await world.discover('a.example', [monitor]), []);
    assert.deepEqual(await world.names('new'), []);
  });

  test('what a deleted monitor alone had found is blocked no more', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    await world.discover('a.example', [monitor]);
    await world.escalate('a.example', 'blocked');
    const before = await world.store.blockedVersion(world.accountId);
    await world.store.deleteMonitor(world.accountId, monitor.id);
    assert.deepEqual(await world.store.listBlocked(world.accountId, '', 10), []);
    assert.ok((await world.store.blockedVersion(world.accountId)) > before);
  });
}

function matching(newWorld: NewWorld, open: OpenWatchlistStore): void {
  test('active monitors of all accounts are listed for those who match', async (t) => {
    const store = open(t)();
    const [one, other] = [new WatchlistWorld(store, 'one'), new WatchlistWorld(store, 'other')];
    const monitors = [await one.monitor(), await other.monitor()];
    const inactive = await one.monitor();
    await store.updateMonitor('one', inactive.id, { state: 'inactive' }, 2000);
    assert.deepEqual((await store.listActiveMonitors()).monitors, [
      { accountId: 'one', monitor: monitors[0] },
      { accountId: 'other', monitor: monitors[1] },
    ]);
  });

  test('the version rises with every change to monitors or own domains, from whichever handle it comes', async (t) => {
    const handle = open(t);
    const [store, watching] = [handle(), handle()];
    const world = new WatchlistWorld(store);
    const versions = [await watching.monitorsVersion()];
    const after = async (change: Promise<unknown>) => {
      await change;
      versions.push(await watching.monitorsVersion());
    };
    const { id } = await world.monitor();
    await after(Promise.resolve());
    await after(store.updateMonitor(world.accountId, id, { textExclusions: ['x'] }, 2000));
    await after(store.changeOwnDomains(world.accountId, { add: ['own.example'], remove: [] }));
    await after(store.changeOwnDomains(world.accountId, { add: [], remove: ['own.example'] }));
    await after(store.deleteMonitor(world.accountId, id));
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((a, b) => a - b),
    );
    assert.equal((await watching.listActiveMonitors()).version, versions.at(-1));
  });

  test('own domains are kept by account, in order, each once', async () => {
    const [world, other] = [newWorld(), newWorld()];
    await world.store.changeOwnDomains(world.accountId, { add: ['b.example', 'a.example'], remove: [] });
    const own = await world.store.changeOwnDomains(world.accountId, {
      add: ['a.example', 'c.example'],
      remove: ['b.example'],
    });
    const all = await world.store.listAllOwnDomains();
    assert.deepEqual(
      [own, await world.store.listOwnDomains(world.accountId), all.get(world.accountId)],
      Array.from({ length: 3 }, () => ['a.example', 'c.example']),
    );
    assert.deepEqual(await other.store.listOwnDomains(other.accountId), []);
  });
}
