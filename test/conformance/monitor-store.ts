/** What every monitor store must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Monitor } from '../../src/model/detect/watchlist.ts';
import { facts, reason, WatchlistFixture } from '../harness/fixtures/watchlist-fixture.ts';
import {
  describeDetectStore,
  type NewFixture,
  type OpenDetectStores,
} from './detect/describe-detect-store.ts';

export function monitorStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a monitor store`, open, (newFixture) => {
    changing(newFixture);
    listing(newFixture);
    deleting(newFixture, open);
    declaring(newFixture);
    matching(newFixture, open);
  });
}

function changing(newFixture: NewFixture): void {
  test('MON-04 the id of a monitor is ten letters and digits', async () => {
    assert.match((await newFixture().monitor()).id, /^[A-Za-z0-9]{10}$/);
  });

  test('MON-06 MON-07 MON-08 a new monitor is active and pending, with its creator and time', async () => {
    const fixture = newFixture();
    const settings = {
      term: 'acme',
      matchSubstringVariations: true,
      nameserverExclusions: ['*.acme.example'],
      textExclusions: ['school'],
    };
    const { id, ...monitor } = await fixture.monitor(settings, 1234);
    assert.deepEqual(monitor, {
      ...settings,
      createdMs: 1234,
      updatedMs: 1234,
      state: 'active',
      status: 'pending',
      createdBy: 'ann',
      searched: { names: 0, ofNames: 0 },
      declared: undefined,
    });
    assert.deepEqual(await fixture.monitors.findMonitor(fixture.accountId, id), { id, ...monitor });
  });

  test('MON-35 a monitor of another account is treated as missing', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const { id } = await fixture.monitor();
    assert.deepEqual(
      [
        await other.monitors.findMonitor(other.accountId, id),
        await other.monitors.updateMonitor(other.accountId, id, { textExclusions: ['x'] }, 2000),
        await other.monitors.deleteMonitor(other.accountId, id),
        (await fixture.monitors.findMonitor(fixture.accountId, id))?.textExclusions,
      ],
      [undefined, undefined, undefined, []],
    );
  });

  test('MON-05 MON-31 a change keeps what it leaves out, and sets the time of the change', async () => {
    const fixture = newFixture();
    const before = await fixture.monitor({ textExclusions: ['school'] });
    const change = { nameserverExclusions: ['*.acme.example'] };
    const after = await fixture.monitors.updateMonitor(fixture.accountId, before.id, change, 5000);
    assert.deepEqual(after, { ...before, ...change, updatedMs: 5000 });
  });

  test('two changes at the same time have different update times', async () => {
    const fixture = newFixture();
    const { id } = await fixture.monitor();
    const update = () => fixture.monitors.updateMonitor(fixture.accountId, id, { textExclusions: [] }, 5000);
    assert.ok(((await update())?.updatedMs as number) < ((await update())?.updatedMs as number));
  });

  test('MON-07 a monitor shows the progress of its search, and is completed when the search is done', async () => {
    const fixture = newFixture();
    const { id, updatedMs } = await fixture.monitor();
    const record = (names: number, done: boolean) =>
      fixture.monitors.recordSearchProgress(fixture.accountId, id, { names, ofNames: 9, done, updatedMs });
    const shown = async () => {
      const monitor = await fixture.monitors.findMonitor(fixture.accountId, id);
      return [monitor?.status, monitor?.searched.names, monitor?.searched.ofNames];
    };
    await record(4, false);
    const inProgress = await shown();
    await record(9, true);
    assert.deepEqual(
      [inProgress, await shown()],
      [
        ['pending', 4, 9],
        ['completed', 9, 9],
      ],
    );
  });

  test('a search for settings that changed meanwhile does not complete the monitor', async () => {
    const fixture = newFixture();
    const { id, updatedMs } = await fixture.monitor();
    await fixture.monitors.updateMonitor(fixture.accountId, id, { matchSubstringVariations: true }, 1000);
    await fixture.monitors.recordSearchProgress(fixture.accountId, id, {
      names: 9,
      ofNames: 9,
      done: true,
      updatedMs,
    });
    assert.equal((await fixture.monitors.findMonitor(fixture.accountId, id))?.status, 'pending');
  });

  for (const [what, change, status] of [
    ['turning substring variations on', { matchSubstringVariations: true }, 'pending'],
    ['adding an exclusion', { textExclusions: ['old', 'x'] }, 'completed'],
    ['removing an excluded text', { textExclusions: [] }, 'pending'],
  ] as const) {
    test(`${what} leaves a completed monitor ${status}`, async () => {
      const fixture = newFixture();
      const { id, updatedMs } = await fixture.monitor({ textExclusions: ['old'] });
      await fixture.monitors.recordSearchProgress(fixture.accountId, id, {
        names: 9,
        ofNames: 9,
        done: true,
        updatedMs,
      });
      const after = await fixture.monitors.updateMonitor(fixture.accountId, id, change, 2000);
      assert.equal(after?.status, status);
    });
  }

  test('turning substring variations off removes no match', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor({ matchSubstringVariations: true });
    await fixture.discover('my-paypa1.example', [monitor]);
    await fixture.monitors.updateMonitor(
      fixture.accountId,
      monitor.id,
      { matchSubstringVariations: false },
      2000,
    );
    assert.deepEqual(await fixture.names('new'), ['my-paypa1.example']);
  });

  test('DOM-04 domains of an inactive monitor are not listed as new or ignored until it is active again', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.discover(name, [monitor]);
    await fixture.triage('b.example', 'watched');
    await fixture.triage('c.example', 'ignored');
    const lists = async () => [
      await fixture.names('new'),
      await fixture.names('watched'),
      await fixture.names('ignored'),
    ];
    await fixture.monitors.updateMonitor(fixture.accountId, monitor.id, { state: 'inactive' }, 4000);
    const inactive = await lists();
    const again = await fixture.monitors.updateMonitor(
      fixture.accountId,
      monitor.id,
      { state: 'active' },
      5000,
    );
    assert.deepEqual(
      [inactive, await lists(), again?.status],
      [[[], ['b.example'], []], [['a.example'], ['b.example'], ['c.example']], 'pending'],
    );
  });
}

function listing(newFixture: NewFixture): void {
  test('MON-01 MON-02 the list has exactly the monitors of the account, and their total', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    for (const term of ['one', 'two', 'three']) await fixture.monitor({ term });
    await other.monitor({ term: 'four' });
    const { total, monitors } = await fixture.listMonitors({ limit: 2 });
    assert.deepEqual([total, monitors.map(({ term }) => term)], [3, ['one', 'three']]);
  });

  test('MON-13 MON-15 MON-17 monitors are sorted by term or time, both ways, ties by the next key', async () => {
    const fixture = newFixture();
    await fixture.monitor({ term: 'b' }, 1000);
    await fixture.monitor({ term: 'a' }, 2000);
    await fixture.monitor({ term: 'b' }, 3000);
    const order = async (query: Parameters<typeof fixture.listMonitors>[0]) =>
      (await fixture.listMonitors(query)).monitors.map(({ term, createdMs }) => term + createdMs).join(' ');
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

  test('MON-13 terms are sorted whatever their letter case and accents', async () => {
    const fixture = newFixture();
    for (const term of ['Zeta', 'école', 'apple', 'Ecole Nord', 'Éclair', 'BETA'])
      await fixture.monitor({ term });
    assert.deepEqual(
      (await fixture.listMonitors()).monitors.map(({ term }) => term),
      ['apple', 'BETA', 'Éclair', 'école', 'Ecole Nord', 'Zeta'],
    );
  });

  test('later pages keep the order of the first, though counts change and monitors come and go', async () => {
    const fixture = newFixture();
    const made = [];
    for (const term of ['a', 'b', 'c', 'd', 'e']) made.push(await fixture.monitor({ term }));
    const [, b, , d, e] = made as [Monitor, Monitor, Monitor, Monitor, Monitor];
    const page = async (offset: number) => {
      const query = { sort: ['domain_counts_discovered', 'term'], offset, limit: 2 } as const;
      const { total, monitors } = await fixture.listMonitors(query, {
        username: 'ann',
        query: 'counts',
        isFirstPage: offset === 0,
        rowsMax: 100,
        nowMs: 1000,
      });
      return [total, monitors.map(({ term, counts }) => `${term}${counts?.new}`).join(' ')];
    };
    const first = await page(0);
    await fixture.monitor({ term: 'aa' });
    await fixture.discover('x.example', [b, d]);
    await fixture.monitors.deleteMonitor(fixture.accountId, e.id);
    assert.deepEqual(
      [first, await page(2), await page(4)],
      [
        [5, 'a0 b0'],
        [4, 'c0 d1'],
        [4, ''],
      ],
    );
  });

  test('MON-09 without `countsSinceMs` there are no counts', async () => {
    const fixture = newFixture();
    await fixture.monitor();
    assert.equal('counts' in ((await fixture.listMonitors()).monitors[0] ?? {}), false);
  });

  test('MON-10 MON-12 domains are counted since a time, each count by its own date', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const [name, discoveredMs] of [
      ['early.example', 100],
      ['late.example', 300],
      ['ignored.example', 300],
      ['watched.example', 100],
      ['escalated.example', 100],
    ] as const) {
      await fixture.discover(name, [monitor], { discoveredMs });
    }
    await fixture.triage('ignored.example', 'ignored');
    await fixture.triage('watched.example', 'watched', { username: 'bob', atMs: 200 });
    await fixture.escalate('escalated.example', 'blocked', { username: 'bob', atMs: 250 });
    await fixture.applyChanges([
      { domain: 'watched.example', facts, changed: { atMs: 300, fields: ['mx'] } },
    ]);
    const counts = async (countsSinceMs: number) =>
      Object.values((await fixture.listMonitors({ countsSinceMs })).monitors[0]?.counts ?? {});
    assert.deepEqual(
      [await counts(100), await counts(201), await counts(251), await counts(300), await counts(301)],
      [
        [2, 2, 1, 1],
        [1, 1, 1, 1],
        [1, 0, 1, 0],
        [1, 0, 1, 0],
        [0, 0, 0, 0],
      ],
    );
  });

  test('MON-12 domains that a monitor excludes are not counted for it', async () => {
    const fixture = newFixture();
    const [one, other] = [
      await fixture.monitor({ term: 'one', textExclusions: ['school'] }),
      await fixture.monitor({ term: 'two' }),
    ];
    await fixture.discover('school.example', [one, other]);
    const { monitors } = await fixture.listMonitors({ countsSinceMs: 0 });
    assert.deepEqual(
      monitors.map(({ counts }) => counts?.new),
      [0, 1],
    );
  });

  test('MON-14 MON-16 a sort by counts also returns the counts', async () => {
    const fixture = newFixture();
    const few = await fixture.monitor({ term: 'few' });
    const many = await fixture.monitor({ term: 'many' });
    await fixture.monitor({ term: 'none' });
    await fixture.discover('a.example', [few, many]);
    for (const name of ['b.example', 'c.example']) await fixture.discover(name, [many]);
    await fixture.discover('d.example', [few]);
    await fixture.triage('a.example', 'watched');
    await fixture.applyChanges([{ domain: 'a.example', facts, changed: { atMs: 300, fields: ['mx'] } }]);
    const order = async (sort: 'domain_counts_discovered' | 'domain_counts_changed', descending: boolean) =>
      (await fixture.listMonitors({ sort: [sort, 'term'], descending })).monitors.map(
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

/** Four domains of one monitor, decided about in every way, and a blocked one that another monitor matches too. */
async function decided(fixture: WatchlistFixture) {
  const [monitor, other] = [await fixture.monitor(), await fixture.monitor({ term: 'other' })];
  for (const state of ['undecided', 'watched', 'ignored', 'blocked'])
    await fixture.discover(`${state}.example`, [monitor]);
  await fixture.discover('both.example', [monitor, other]);
  await fixture.triage('watched.example', 'watched');
  await fixture.triage('ignored.example', 'ignored');
  for (const name of ['blocked.example', 'both.example']) await fixture.escalate(name, 'blocked');
  return { fixture, monitor, other };
}

function deleting(newFixture: NewFixture, open: OpenDetectStores): void {
  test('MON-37 a monitor can be deleted once, and is then missing', async () => {
    const fixture = newFixture();
    const { id } = await fixture.monitor();
    assert.deepEqual(
      [
        await fixture.monitors.deleteMonitor(fixture.accountId, id),
        await fixture.monitors.deleteMonitor(fixture.accountId, id),
        await fixture.monitors.findMonitor(fixture.accountId, id),
        (await fixture.listMonitors()).total,
      ],
      [{ removed: 0, remembered: 0, blocked: 0 }, undefined, undefined, 0],
    );
  });

  test('MON-38 deleting a monitor removes the domains that no other monitor matched, and no others', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor(), await fixture.monitor()];
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.discover(name, [one]);
    await fixture.discover('both.example', [one, other]);
    await fixture.triage('b.example', 'watched');
    await fixture.triage('c.example', 'ignored');
    await fixture.monitors.deleteMonitor(fixture.accountId, one.id);
    assert.deepEqual(
      [await fixture.names('new'), await fixture.names('watched'), await fixture.names('ignored')],
      [['both.example'], [], []],
    );
    assert.deepEqual((await fixture.find('both.example')).monitorIds, [other.id]);
  });

  test('MON-38 a deleted monitor discovers nothing', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    assert.deepEqual(await fixture.discover('a.example', [monitor]), []);
    assert.deepEqual(await fixture.names('new'), []);
  });

  test('MON-38 domains of a deleted monitor stay blocked, and are counted by what was decided about them', async () => {
    const { fixture, monitor, other } = await decided(newFixture());
    const before = await fixture.escalations.blocklistVersion(fixture.accountId);
    assert.deepEqual(await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id), {
      removed: 4,
      remembered: 3,
      blocked: 1,
    });
    const blocked = await fixture.escalations.listBlockedDomains(fixture.accountId, '', 10);
    assert.deepEqual(
      blocked.map(({ domain }) => domain),
      ['blocked.example', 'both.example'],
    );
    assert.equal(await fixture.escalations.blocklistVersion(fixture.accountId), before);
    assert.deepEqual((await fixture.find('both.example')).monitorIds, [other.id]);
  });

  test('TRI-19 a domain that is found again after its monitor was deleted has its id, its state and its escalations', async () => {
    const { fixture, monitor } = await decided(newFixture());
    const names = ['watched.example', 'ignored.example', 'blocked.example'];
    const before = await Promise.all(names.map((name) => fixture.find(name)));
    const events = await fixture.listEvents();
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    const again = await fixture.monitor();
    const found = await fixture.watchlist.addDiscoveries(
      names.map((name) => fixture.discovery(name, [again], { discoveredMs: 9000 })),
    );
    const after = await Promise.all(names.map((name) => fixture.find(name)));
    const kept = before.map((domain) => ({
      ...domain,
      monitorIds: [again.id],
      matches: [{ monitorId: again.id, reason }],
    }));
    assert.deepEqual([after, found, await fixture.listEvents()], [kept, [], events]);
  });

  test('an undecided domain that is found again after its monitor was deleted is discovered again', async () => {
    const { fixture, monitor } = await decided(newFixture());
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    const again = await fixture.monitor();
    const found = await fixture.discover('undecided.example', [again], { discoveredMs: 9000 });
    const { state, discoveredMs } = await fixture.find('undecided.example');
    assert.deepEqual([found.length, state, discoveredMs], [1, 'new', 9000]);
    assert.equal((await fixture.listEvents()).at(-1), 'discovered undecided.example');
  });

  test('domains of a deleted monitor are no longer probed, followed or triaged', async (t) => {
    const { fixture, monitor } = await decided(new WatchlistFixture(open(t)()));
    const { id } = await fixture.find('watched.example');
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    const events = await fixture.listEvents();
    await fixture.applyChanges([
      { domain: 'watched.example', facts, changed: { atMs: 9000, fields: ['mx'] } },
    ]);
    const by = { username: 'ann', atMs: 9000 };
    assert.deepEqual(
      [
        await fixture.watchlist.triageDomains(fixture.accountId, [id], 'ignored', by),
        [...(await fixture.watchlist.findListedDomains(['watched.example']))],
        await fixture.watchlist.listWatchedNames('', 9),
        await fixture.listEvents(),
      ],
      [{ unknownIds: [id] }, [], ['both.example'], events],
    );
  });

  test('with `forget` the decisions about its domains go with a monitor, blocks included', async () => {
    const { fixture, monitor } = await decided(newFixture());
    const before = await fixture.escalations.blocklistVersion(fixture.accountId);
    assert.deepEqual(await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id, { forget: true }), {
      removed: 4,
      remembered: 0,
      blocked: 0,
    });
    const blocked = await fixture.escalations.listBlockedDomains(fixture.accountId, '', 10);
    const again = await fixture.monitor();
    await fixture.discover('blocked.example', [again]);
    const { state, escalations, assigned } = await fixture.find('blocked.example');
    assert.deepEqual(
      [blocked.map(({ domain }) => domain), state, escalations, assigned],
      [['both.example'], 'new', [], undefined],
    );
    assert.ok((await fixture.escalations.blocklistVersion(fixture.accountId)) > before);
  });

  test('with `unblockedMs` blocked domains leave the blocklist with a monitor, which is an event, and other decisions are remembered', async () => {
    const { fixture, monitor } = await decided(newFixture());
    const before = await fixture.escalations.blocklistVersion(fixture.accountId);
    const unblockedMs = 1_900_000_000_000;
    assert.deepEqual(await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id, { unblockedMs }), {
      removed: 4,
      remembered: 3,
      blocked: 0,
    });
    const withdrawn = await fixture.events.listEvents(fixture.accountId, {
      afterId: 0,
      limit: 10,
      kinds: ['withdrawn'],
    });
    assert.deepEqual(
      withdrawn.map(({ domain, atMs, detail }) => [domain, atMs, detail['type']]),
      [['blocked.example', unblockedMs, 'blocked']],
    );
    const blocked = await fixture.escalations.listBlockedDomains(fixture.accountId, '', 10);
    await fixture.discover('blocked.example', [await fixture.monitor()]);
    const { state, escalations } = await fixture.find('blocked.example');
    assert.deepEqual(
      [blocked.map(({ domain }) => domain), state, escalations],
      [['both.example'], 'watched', []],
    );
    assert.deepEqual(await fixture.names('watched', { escalatedSinceMs: 0 }), ['both.example']);
    assert.ok((await fixture.escalations.blocklistVersion(fixture.accountId)) > before);
  });

  test('what hangs on a monitor is counted before it is deleted', async () => {
    const { fixture, monitor } = await decided(newFixture());
    const counts = await fixture.monitors.countMatches(fixture.accountId, monitor.id);
    const deleted = await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    assert.deepEqual(counts, { domains: 5, alone: deleted });
    assert.equal(await fixture.monitors.countMatches(fixture.accountId, monitor.id), undefined);
    const empty = await fixture.monitor();
    assert.deepEqual(await fixture.monitors.countMatches(fixture.accountId, empty.id), {
      domains: 0,
      alone: { removed: 0, remembered: 0, blocked: 0 },
    });
  });

  test('a listed domain is found by its name, and decisions about names are counted after their monitor is gone', async () => {
    const { fixture, monitor } = await decided(newFixture());
    const { accountId, watchlist } = fixture;
    const names = [
      'watched.example',
      'ignored.example',
      'blocked.example',
      'undecided.example',
      'no.example',
    ];
    const found = await watchlist.findDomainNamed(accountId, 'watched.example');
    assert.deepEqual(found, await fixture.find('watched.example'));
    assert.equal(await watchlist.findDomainNamed('nobody', 'watched.example'), undefined);
    const counts = { watched: 2, ignored: 1, escalated: 1 };
    assert.deepEqual(await watchlist.countDecided(accountId, names), counts);
    await fixture.monitors.deleteMonitor(accountId, monitor.id);
    assert.deepEqual(await watchlist.countDecided(accountId, names), counts);
    assert.equal(await watchlist.findDomainNamed(accountId, 'watched.example'), undefined);
  });

  test('pruning removes nothing that was decided, and undecided domains after two days', async () => {
    const { fixture, monitor } = await decided(newFixture());
    const ids = new Map<string, string>();
    for (const name of ['watched.example', 'undecided.example']) ids.set(name, (await fixture.find(name)).id);
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    const dayMs = 86_400_000;
    for (const days of [0, 1, 2]) await fixture.watchlist.pruneUnmatchedDomains(days * dayMs);
    const again = await fixture.monitor();
    const same = async (name: string) => {
      await fixture.discover(name, [again]);
      return (await fixture.find(name)).id === ids.get(name);
    };
    assert.deepEqual([await same('watched.example'), await same('undecided.example')], [true, false]);
  });
}

function declaring(newFixture: NewFixture): void {
  test('a monitor keeps what its file declared until another change declares it again, or no file does', async () => {
    const fixture = newFixture();
    const { accountId, monitors } = fixture;
    const { id } = await fixture.monitor();
    const declared = await monitors.updateMonitor(
      accountId,
      id,
      { textExclusions: ['fan'], declaredIn: 'brand/acme.yaml' },
      1000,
    );
    const declaration = {
      file: 'brand/acme.yaml',
      state: 'active',
      matchSubstringVariations: false,
      textExclusions: ['fan'],
      nameserverExclusions: [],
    };
    assert.deepEqual(declared?.declared, declaration);
    const changed = await monitors.updateMonitor(accountId, id, { textExclusions: [] }, 2000);
    assert.deepEqual([changed?.textExclusions, changed?.declared], [[], declaration]);
    assert.deepEqual((await monitors.findMonitor(accountId, id))?.declared, declaration);
    const released = await monitors.updateMonitor(accountId, id, { declaredIn: null }, 3000);
    assert.equal(released?.declared, undefined);
  });
}

function matching(newFixture: NewFixture, open: OpenDetectStores): void {
  test('active monitors of all accounts are listed', async (t) => {
    const stores = open(t)();
    const [one, other] = [new WatchlistFixture(stores, 'one'), new WatchlistFixture(stores, 'other')];
    const monitors = [await one.monitor(), await other.monitor()];
    const inactive = await one.monitor();
    await stores.monitors.updateMonitor('one', inactive.id, { state: 'inactive' }, 2000);
    assert.deepEqual((await stores.monitors.listActiveMonitors()).monitors, [
      { accountId: 'one', monitor: monitors[0] },
      { accountId: 'other', monitor: monitors[1] },
    ]);
  });

  test('the version increases with every change of monitors or own domains, on any handle', async (t) => {
    const handle = open(t);
    const [stores, watching] = [handle(), handle()];
    const fixture = new WatchlistFixture(stores);
    const versions = [await watching.monitors.monitorsVersion()];
    const after = async (change: Promise<unknown>) => {
      await change;
      versions.push(await watching.monitors.monitorsVersion());
    };
    const { id } = await fixture.monitor();
    await after(Promise.resolve());
    await after(stores.monitors.updateMonitor(fixture.accountId, id, { textExclusions: ['x'] }, 2000));
    await after(stores.monitors.changeOwnDomains(fixture.accountId, { add: ['own.example'], remove: [] }));
    await after(stores.monitors.changeOwnDomains(fixture.accountId, { add: [], remove: ['own.example'] }));
    await after(stores.monitors.deleteMonitor(fixture.accountId, id));
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((a, b) => a - b),
    );
    assert.equal((await watching.monitors.listActiveMonitors()).version, versions.at(-1));
  });

  test('own domains are stored by account, sorted and without duplicates', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    await fixture.monitors.changeOwnDomains(fixture.accountId, {
      add: ['b.example', 'a.example'],
      remove: [],
    });
    const own = await fixture.monitors.changeOwnDomains(fixture.accountId, {
      add: ['a.example', 'c.example'],
      remove: ['b.example'],
    });
    const all = await fixture.monitors.listAllOwnDomains();
    assert.deepEqual(
      [own, await fixture.monitors.listOwnDomains(fixture.accountId), all.get(fixture.accountId)],
      Array.from({ length: 3 }, () => ['a.example', 'c.example']),
    );
    assert.deepEqual(await other.monitors.listOwnDomains(other.accountId), []);
  });
}
