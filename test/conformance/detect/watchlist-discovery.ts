/** Discovery of domains, and what exclusions and own domains leave out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facts, reason, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture, OpenDetectStores } from './describe-detect-store.ts';

export function watchlistDiscovery(newFixture: NewFixture, open: OpenDetectStores): void {
  discovering(newFixture, open);
  excluding(newFixture);
  owning(newFixture);
}

function discovering(newFixture: NewFixture, open: OpenDetectStores): void {
  test('TRI-01 DOM-13 a discovered domain is new, with all its facts', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    const known = {
      active: false,
      mxExists: true,
      nameServers: ['ns1.host.example'],
      riskScore: 70,
      riskStatus: 'provisional',
      riskComponents: { proximity: 1, phishing: 2, malware: undefined, spam: undefined, evidence: ['name'] },
    } as const;
    const found = await fixture.discover('paypa1.co.example', [monitor], { discoveredMs: 7, facts: known });
    assert.deepEqual(found, [{ accountId: fixture.accountId, domain: 'paypa1.co.example' }]);
    const { id, ...domain } = await fixture.find('paypa1.co.example');
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
      sightings: [],
    });
  });

  test('a domain without a record counts as active, without mail and without a score', async () => {
    const fixture = newFixture();
    await fixture.discover('paypa1.example', [await fixture.monitor()]);
    const { active, mxExists, nameServers, riskScore } = await fixture.find('paypa1.example');
    assert.deepEqual([active, mxExists, nameServers, riskScore], [true, false, [], undefined]);
  });

  test('DOM-17 TRI-19 a domain discovered again gains the matches it lacks and keeps the rest', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor(), await fixture.monitor()];
    await fixture.discover('paypa1.example', [one], { discoveredMs: 7 });
    await fixture.triage('paypa1.example', 'watched');
    const { id } = await fixture.find('paypa1.example');
    const again = await fixture.discover('paypa1.example', [one, other], { discoveredMs: 9 });
    const { state, discoveredMs, monitorIds, ...domain } = await fixture.find('paypa1.example');
    assert.deepEqual(
      [again, domain.id, state, discoveredMs, monitorIds],
      [[], id, 'watched', 7, [one.id, other.id]],
    );
    assert.deepEqual(await fixture.listEvents(), ['discovered paypa1.example']);
  });

  test('a domain twice in one batch is listed once', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    const discovery = fixture.discovery('paypa1.example', [monitor]);
    assert.equal((await fixture.watchlist.addDiscoveries([discovery, discovery])).length, 1);
    assert.equal((await fixture.list('new')).total, 1);
  });

  test('two accounts that discover a domain have separate entries', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const discoveries = [
      fixture.discovery('paypa1.example', [await fixture.monitor()]),
      other.discovery('paypa1.example', [await other.monitor()]),
    ];
    assert.equal((await fixture.watchlist.addDiscoveries(discoveries)).length, 2);
    await fixture.triage('paypa1.example', 'ignored');
    assert.deepEqual(await other.names('new'), ['paypa1.example']);
    assert.notEqual((await fixture.find('paypa1.example')).id, (await other.find('paypa1.example')).id);
  });

  test('a monitor of another account matches nothing', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    assert.deepEqual(await fixture.discover('paypa1.example', [await other.monitor()]), []);
    assert.deepEqual([...(await fixture.names('new')), ...(await other.names('new'))], []);
  });

  test('handles that discover the same domains concurrently list each domain once', async (t) => {
    const handle = open(t);
    const fixtures = Array.from({ length: 3 }, () => new WatchlistFixture(handle(), 'one'));
    const monitor = await (fixtures[0] as WatchlistFixture).monitor();
    const names = Array.from({ length: 50 }, (_, index) => `paypa${index}.example`);
    const found = await Promise.all(
      fixtures.map((fixture) =>
        fixture.watchlist.addDiscoveries(names.map((name) => fixture.discovery(name, [monitor]))),
      ),
    );
    assert.equal(found.flat().length, 50);
    assert.equal((await fixtures[0]?.list('new'))?.total, 50);
    assert.equal((await fixtures[0]?.listEvents())?.length, 50);
  });
}

function excluding(newFixture: NewFixture): void {
  test('MON-29 a domain that contains an excluded text is not listed and has no event', async () => {
    const fixture = newFixture();
    await fixture.discover('myschool.example', [await fixture.monitor({ textExclusions: ['School'] })]);
    assert.deepEqual([await fixture.names('new'), await fixture.listEvents()], [[], []]);
  });

  test('MON-29 an excluded text is also searched in the Unicode form of a name', async () => {
    const fixture = newFixture();
    await fixture.discover('xn--mnchen-3ya.example', [await fixture.monitor({ textExclusions: ['mün'] })]);
    assert.deepEqual(await fixture.names('new'), []);
  });

  test('MON-28 a domain is excluded if all its name servers match, and listed if one does not', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor({ nameserverExclusions: ['*.acme.example'] });
    const hosts = (...nameServers: string[]) => ({ facts: { ...facts, nameServers } });
    await fixture.discover('all.example', [monitor], hosts('a.acme.example', 'b.acme.example'));
    await fixture.discover('one.example', [monitor], hosts('a.acme.example', 'ns.host.example'));
    await fixture.discover('none.example', [monitor]);
    assert.deepEqual([...(await fixture.names('new'))].sort(), ['none.example', 'one.example']);
  });

  test('MON-28 exclusions are re-evaluated whenever the name servers change', async () => {
    const fixture = newFixture();
    await fixture.discover('paypa1.example', [
      await fixture.monitor({ nameserverExclusions: ['*.acme.example'] }),
    ]);
    const totals: number[] = [];
    for (const host of ['ns.acme.example', 'ns.host.example', 'ns.acme.example']) {
      await fixture.applyChanges([
        { domain: 'paypa1.example', facts: { ...facts, nameServers: [host] }, changed: undefined },
      ]);
      totals.push((await fixture.list('new')).total);
    }
    assert.deepEqual(totals, [0, 1, 0]);
    assert.deepEqual(await fixture.listEvents(), ['discovered paypa1.example']);
  });

  test('a domain that becomes listed because exclusions changed has one event, at that time', async () => {
    const fixture = newFixture();
    const { id, ...monitor } = await fixture.monitor({ textExclusions: ['school'] });
    await fixture.discover('school.example', [{ id, ...monitor }]);
    const exclude = (textExclusions: readonly string[], atMs: number) =>
      fixture.monitors.updateMonitor(fixture.accountId, id, { textExclusions }, atMs);
    await exclude([], 8000);
    await exclude(['school'], 9000);
    const hidden = await fixture.names('new');
    await exclude([], 10_000);
    const [event, ...others] = await fixture.events.listEvents(fixture.accountId, { afterId: 0, limit: 10 });
    assert.deepEqual(
      [hidden, await fixture.names('new'), event?.kind, event?.atMs, others],
      [[], ['school.example'], 'discovered', 8000, []],
    );
  });

  test('a domain names the monitors that do not exclude it', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor({ textExclusions: ['school'] }), await fixture.monitor()];
    await fixture.discover('school.example', [one, other]);
    const { monitorIds, matches } = await fixture.find('school.example');
    assert.deepEqual([monitorIds, matches.map(({ monitorId }) => monitorId)], [[other.id], [other.id]]);
    assert.deepEqual(await fixture.names('new', { monitorId: one.id }), []);
  });

  test('a watched domain that all monitors exclude stays listed, and names them all', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor(), await fixture.monitor()];
    await fixture.discover('school.example', [one, other]);
    await fixture.triage('school.example', 'watched');
    for (const { id } of [one, other]) {
      await fixture.monitors.updateMonitor(fixture.accountId, id, { textExclusions: ['school'] }, 5000);
    }
    assert.deepEqual((await fixture.find('school.example')).monitorIds, [one.id, other.id]);
    assert.deepEqual(await fixture.names('watched', { monitorId: one.id }), ['school.example']);
    await fixture.triage('school.example', 'ignored');
    assert.deepEqual(await fixture.names('ignored'), []);
  });
}

function owning(newFixture: NewFixture): void {
  test('own domains and their subdomains are not listed', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    await fixture.monitors.changeOwnDomains(fixture.accountId, { add: ['pages.example'], remove: [] });
    for (const name of ['pages.example', 'paypal.pages.example', 'mypages.example']) {
      await fixture.discover(name, [monitor]);
    }
    assert.deepEqual(await fixture.names('new'), ['mypages.example']);
  });

  test('a domain that becomes an own domain is removed from lists and blocklist', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const monitor = await fixture.monitor();
    for (const name of ['a.example', 'sub.a.example', 'ba.example']) await fixture.discover(name, [monitor]);
    await other.discover('a.example', [await other.monitor()]);
    await fixture.escalate('a.example', 'blocked');
    await fixture.monitors.changeOwnDomains(fixture.accountId, { add: ['a.example'], remove: [] });
    assert.deepEqual(
      [
        await fixture.names('new'),
        await fixture.names('watched'),
        await fixture.escalations.listBlockedDomains(fixture.accountId, '', 10),
        await other.names('new'),
      ],
      [['ba.example'], [], [], ['a.example']],
    );
  });
}
