/** What is found, and what exclusions and own domains leave out of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facts, reason, WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld, OpenWatchlistStore } from './watchlist-store.ts';

export function watchlistDiscovery(newWorld: NewWorld, open: OpenWatchlistStore): void {
  finding(newWorld, open);
  excluding(newWorld);
  owning(newWorld);
}

function finding(newWorld: NewWorld, open: OpenWatchlistStore): void {
  test('TRI-01 DOM-13 a domain that was found is new, with all that is known of it', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    const known = {
      active: false,
      mxExists: true,
      nameServers: ['ns1.host.example'],
      riskScore: 70,
      riskStatus: 'provisional',
      riskComponents: { proximity: 1, phishing: 2, malware: undefined, spam: undefined, evidence: ['name'] },
    } as const;
    const found = await world.discover('paypa1.co.example', [monitor], { discoveredMs: 7, facts: known });
    assert.deepEqual(found, [{ accountId: world.accountId, domain: 'paypa1.co.example' }]);
    const { id, ...domain } = await world.find('paypa1.co.example');
    assert.match(id, /^[A-Za-z0-9]{10}$/);
    assert.deepEqual(domain, {
      ...known,
      riskComponents: { proximity: 1, phishing: 2, evidence: ['name'] },
      domain: 'paypa1.co.example',
      tld: 'co.example',
      state: 'new',
      discoveredMs: 7,
      changedMs: undefined,
      assigned: undefined,
      monitorIds: [monitor.id],
      matches: [{ monitorId: monitor.id, reason }],
      escalations: [],
    });
  });

  test('a domain without a record counts as active, without mail and without a score', async () => {
    const world = newWorld();
    await world.discover('paypa1.example', [await world.monitor()]);
    const { active, mxExists, nameServers, riskScore } = await world.find('paypa1.example');
    assert.deepEqual([active, mxExists, nameServers, riskScore], [true, false, [], undefined]);
  });

  test('DOM-17 TRI-19 found again, a domain gets what it lacks and keeps the rest', async () => {
    const world = newWorld();
    const [one, other] = [await world.monitor(), await world.monitor()];
    await world.discover('paypa1.example', [one], { discoveredMs: 7 });
    await world.triage('paypa1.example', 'watched');
    const { id } = await world.find('paypa1.example');
    const again = await world.discover('paypa1.example', [one, other], { discoveredMs: 9 });
    const { state, discoveredMs, monitorIds, ...domain } = await world.find('paypa1.example');
    assert.deepEqual(
      [again, domain.id, state, discoveredMs, monitorIds],
      [[], id, 'watched', 7, [one.id, other.id]],
    );
    assert.deepEqual(await world.events(), ['discovered paypa1.example']);
  });

  test('a domain twice in one batch is one', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    const discovery = world.discovery('paypa1.example', [monitor]);
    assert.equal((await world.store.discover([discovery, discovery])).length, 1);
    assert.equal((await world.list('new')).total, 1);
  });

  test('two accounts have a domain of their own each', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const discoveries = [
      world.discovery('paypa1.example', [await world.monitor()]),
      other.discovery('paypa1.example', [await other.monitor()]),
    ];
    assert.equal((await world.store.discover(discoveries)).length, 2);
    await world.triage('paypa1.example', 'ignored');
    assert.deepEqual(await other.names('new'), ['paypa1.example']);
    assert.notEqual((await world.find('paypa1.example')).id, (await other.find('paypa1.example')).id);
  });

  test('a monitor of another account matches nothing', async () => {
    const [world, other] = [newWorld(), newWorld()];
    assert.deepEqual(await world.discover('paypa1.example', [await other.monitor()]), []);
    assert.deepEqual([...(await world.names('new')), ...(await other.names('new'))], []);
  });

  test('many handles that find the same at once find each domain once', async (t) => {
    const handle = open(t);
    const worlds = Array.from({ length: 3 }, () => new WatchlistWorld(handle(), 'one'));
    const monitor = await (worlds[0] as WatchlistWorld).monitor();
    const names = Array.from({ length: 50 }, (_, index) => `paypa${index}.example`);
    const found = await Promise.all(
      worlds.map((world) => world.store.discover(names.map((name) => world.discovery(name, [monitor])))),
    );
    assert.equal(found.flat().length, 50);
    assert.equal((await worlds[0]?.list('new'))?.total, 50);
    assert.equal((await worlds[0]?.events())?.length, 50);
  });
}

function excluding(newWorld: NewWorld): void {
  test('MON-29 a domain that contains a text is left out, and nothing is said of it', async () => {
    const world = newWorld();
    await world.discover('myschool.example', [await world.monitor({ textExclusions: ['School'] })]);
    assert.deepEqual([await world.names('new'), await world.events()], [[], []]);
  });

  test('MON-29 a text may be in the Unicode form of a name', async () => {
    const world = newWorld();
    await world.discover('xn--mnchen-3ya.example', [await world.monitor({ textExclusions: ['mün'] })]);
    assert.deepEqual(await world.names('new'), []);
  });

  test('MON-28 a domain is left out when all its name servers match, and kept when one does not', async () => {
    const world = newWorld();
    const monitor = await world.monitor({ nameserverExclusions: ['*.acme.example'] });
    const hosts = (...nameServers: string[]) => ({ facts: { ...facts, nameServers } });
    await world.discover('all.example', [monitor], hosts('a.acme.example', 'b.acme.example'));
    await world.discover('one.example', [monitor], hosts('a.acme.example', 'ns.host.example'));
    await world.discover('none.example', [monitor]);
    assert.deepEqual([...(await world.names('new'))].sort(), ['none.example', 'one.example']);
  });

  test('MON-28 name servers that come later decide, each time they change', async () => {
    const world = newWorld();
    await world.discover('paypa1.example', [
      await world.monitor({ nameserverExclusions: ['*.acme.example'] }),
    ]);
    const totals: number[] = [];
    for (const host of ['ns.acme.example', 'ns.host.example', 'ns.acme.example']) {
      await world.news([
        { domain: 'paypa1.example', facts: { ...facts, nameServers: [host] }, changed: undefined },
      ]);
      totals.push((await world.list('new')).total);
    }
    assert.deepEqual(totals, [0, 1, 0]);
    assert.deepEqual(await world.events(), ['discovered paypa1.example']);
  });

  test('a domain that appears because exclusions changed is told then, and once', async () => {
    const world = newWorld();
    const { id, ...monitor } = await world.monitor({ textExclusions: ['school'] });
    await world.discover('school.example', [{ id, ...monitor }]);
    const exclude = (textExclusions: readonly string[], atMs: number) =>
      world.store.updateMonitor(world.accountId, id, { textExclusions }, atMs);
    await exclude([], 8000);
    await exclude(['school'], 9000);
    const hidden = await world.names('new');
    await exclude([], 10_000);
    const [event, ...others] = await world.store.listEvents(world.accountId, { afterId: 0, limit: 10 });
    assert.deepEqual(
      [hidden, await world.names('new'), event?.kind, event?.atMs, others],
      [[], ['school.example'], 'discovered', 8000, []],
    );
  });

  test('a domain names the monitors that do not exclude it', async () => {
    const world = newWorld();
    const [one, other] = [await world.monitor({ textExclusions: ['school'] }), await world.monitor()];
    await world.discover('school.example', [one, other]);
    const { monitorIds, matches } = await world.find('school.example');
    assert.deepEqual([monitorIds, matches.map(({ monitorId }) => monitorId)], [[other.id], [other.id]]);
    assert.deepEqual(await world.names('new', { monitorId: one.id }), []);
  });

  test('a watched domain that all monitors exclude stays, and names them all', async () => {
    const world = newWorld();
    const [one, other] = [await world.monitor(), await world.monitor()];
    await world.discover('school.example', [one, other]);
    await world.triage('school.example', 'watched');
    for (const { id } of [one, other]) {
      await world.store.updateMonitor(world.accountId, id, { textExclusions: ['school'] }, 5000);
    }
    assert.deepEqual((await world.find('school.example')).monitorIds, [one.id, other.id]);
    assert.deepEqual(await world.names('watched', { monitorId: one.id }), ['school.example']);
    await world.triage('school.example', 'ignored');
    assert.deepEqual(await world.names('ignored'), []);
  });
}

function owning(newWorld: NewWorld): void {
  test('own domains and names below them are not put on a list', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    await world.store.changeOwnDomains(world.accountId, { add: ['pages.example'], remove: [] });
    for (const name of ['pages.example', 'paypal.pages.example', 'mypages.example']) {
      await world.discover(name, [monitor]);
    }
    assert.deepEqual(await world.names('new'), ['mypages.example']);
  });

  test('a domain that turns out to be an own one leaves the lists, and the blocklist', async () => {
    const [world, other] = [newWorld(), newWorld()];
    const monitor = await world.monitor();
    for (const name of ['a.example', 'sub.a.example', 'ba.example']) await world.discover(name, [monitor]);
    await other.discover('a.example', [await other.monitor()]);
    await world.escalate('a.example', 'blocked');
    await world.store.changeOwnDomains(world.accountId, { add: ['a.example'], remove: [] });
    assert.deepEqual(
      [
        await world.names('new'),
        await world.names('watched'),
        await world.store.listBlocked(world.accountId, '', 10),
        await other.names('new'),
      ],
      [['ba.example'], [], [], ['a.example']],
    );
  });
}
