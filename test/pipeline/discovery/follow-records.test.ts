import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DiscoveryFixture,
  domainsOf,
  listed,
  monitor,
  sharedWorld,
} from '../../harness/fixtures/discovery-fixture.ts';

const shared = sharedWorld();

/** Each test uses its own domain. */
const words = ['vaultbank', 'meridian', 'quartzpay', 'northwind', 'blueriver', 'redstone', 'greenfield'];
let used = 0;

interface Following extends DiscoveryFixture {
  readonly domain: string;
  readonly account: string;
}

/** Puts a domain on the list of an account, in a state. */
async function onList(state: 'new' | 'watched' | 'ignored'): Promise<Following> {
  const world = shared;
  const account = words[used++] ?? assert.fail('there are more tests than words');
  const domain = `${account}-x.com`;
  await world.write({ domain, registrar: 'One', name_server: [{ host: 'ns.one.net' }] });
  await monitor(world, account, account);
  await world.append([domain]);
  await world.discover();
  await world.follow();
  const [found] = await domainsOf(world.watchlist, account);
  if (state !== 'new') {
    await world.watchlist.triageDomains(account, [found?.id ?? ''], state, {
      username: 'ann',
      atMs: world.clock.now(),
    });
  }
  world.clock.advanceSeconds(60);
  return { ...world, domain, account };
}

async function changeOf({ watchlist, account }: Following, state: 'new' | 'watched' | 'ignored') {
  const [found] = await domainsOf(watchlist, account, state);
  return found?.changedMs;
}

async function eventsOf({ events, account }: Following): Promise<string[]> {
  return (await events.listEvents(account, { afterId: 0, limit: 100 })).map(({ kind }) => kind);
}

test('new facts are applied to every list that the domain is on', async () => {
  const world = await onList('new');
  await world.write({
    domain: world.domain,
    active: false,
    mx: [{ host: 'mx.example.net' }],
    domain_risk: { risk_score: 88, components: [] },
  });
  await world.follow();
  const [found] = await domainsOf(world.watchlist, world.account);
  assert.deepEqual([found?.active, found?.mxExists, found?.riskScore], [false, true, 88]);
});

test('TRI-03 a change of name servers of a watched domain updates its change date', async () => {
  const world = await onList('watched');
  assert.equal(await changeOf(world, 'watched'), undefined);
  await world.write({ domain: world.domain, registrar: 'One', name_server: [{ host: 'ns.two.net' }] });
  await world.follow();
  assert.equal(await changeOf(world, 'watched'), world.clock.now());
  assert.deepEqual(await eventsOf(world), ['discovered', 'changed']);
});

test('a change is applied once, however often records are followed', async () => {
  const world = await onList('watched');
  await world.write({ domain: world.domain, registrar: 'Two', name_server: [{ host: 'ns.one.net' }] });
  await Promise.all([world.follow(), world.follow()]);
  await world.follow();
  assert.deepEqual(await eventsOf(world), ['discovered', 'changed']);
});

test('several changes between two polls are one change with all their members', async () => {
  const world = await onList('watched');
  await world.write({ domain: world.domain, registrar: 'Two', name_server: [{ host: 'ns.one.net' }] });
  world.clock.advanceSeconds(60);
  await world.write({ domain: world.domain, registrar: 'Two', name_server: [{ host: 'ns.two.net' }] });
  await world.follow();
  assert.equal(await changeOf(world, 'watched'), world.clock.now());
  const [, changed] = await world.events.listEvents(world.account, { afterId: 0, limit: 100 });
  assert.deepEqual(changed?.detail, { fields: ['name_server', 'registrar'] });
});

test('DOM-35 a new score, certificate or web site is not a change', async () => {
  const world = await onList('watched');
  await world.write({
    domain: world.domain,
    registrar: 'One',
    name_server: [{ host: 'ns.one.net', ip: ['192.0.2.53'] }],
    website_title: 'Log in',
    ssl_info: [{ hash: 'a'.repeat(40) }],
    domain_risk: { risk_score: 88, components: [] },
  });
  await world.follow();
  assert.equal(await changeOf(world, 'watched'), undefined);
  assert.deepEqual(await eventsOf(world), ['discovered']);
});

test('TRI-06 DOM-14 a change and a full score of an ignored domain raise nothing, but the change has its date', async () => {
  const world = await onList('ignored');
  const components = [
    'proximity',
    'threat_profile_malware',
    'threat_profile_phishing',
    'threat_profile_spam',
  ];
  await world.write({
    domain: world.domain,
    registrar: 'Two',
    name_server: [{ host: 'ns.two.net' }],
    domain_risk: { risk_score: 88, components: components.map((name) => ({ name, risk_score: 88 })) },
  });
  await world.follow();
  assert.equal(await changeOf(world, 'ignored'), world.clock.now());
  assert.deepEqual(await eventsOf(world), ['discovered']);
});

test('DOM-14 a change of a new domain sets its change date, without an event', async () => {
  const world = await onList('new');
  await world.write({ domain: world.domain, registrar: 'One', name_server: [{ host: 'ns.two.net' }] });
  await world.follow();
  assert.equal(await changeOf(world, 'new'), world.clock.now());
  assert.deepEqual(await eventsOf(world), ['discovered']);
});

test('DOM-14 DOM-35 a domain that is discovered has the date of the last change in its history', async () => {
  const world = shared;
  const domain = 'velvetroad-known.com';
  await world.write({ domain, registrar: 'One' });
  world.clock.advanceSeconds(60);
  await world.write({ domain, registrar: 'Two' });
  const changedMs = world.clock.now();
  world.clock.advanceSeconds(60);
  await world.write({ domain, registrar: 'Two', website_title: 'Log in' });
  await monitor(world, 'history', 'velvetroad');
  await world.searchKnown();
  await world.follow();
  const [found] = await domainsOf(world.watchlist, 'history');
  assert.deepEqual([found?.domain, found?.changedMs], [domain, changedMs]);
});

test('a record that came without a feed is matched by existing monitors', async () => {
  const world = shared;
  await monitor(world, 'b', 'silkroute');
  await world.searchKnown();
  await world.write({ domain: 'silkroute-imported.com' });
  await world.follow();
  assert.deepEqual(await listed(world.watchlist, 'b'), ['silkroute-imported.com']);
});

test('a record that changes while its domain is being listed does not leave stale facts', async () => {
  const world = shared;
  const domain = 'amberfox-x.com';
  await world.write({ domain, mx: [] });
  await world.follow();
  await monitor(world, 'c', 'amberfox');
  await world.append([domain]);
  const findRecords = world.domains.findRecords.bind(world.domains);
  world.domains.findRecords = async (names) => {
    world.domains.findRecords = findRecords;
    const records = await findRecords(names);
    // Between reading the facts and listing the domain.
    await world.write({ domain, mx: [{ host: 'mx.example.net' }] });
    void world.follow();
    return records;
  };
  await world.discover();
  await world.follow();
  const [found] = await domainsOf(world.watchlist, 'c');
  assert.equal(found?.mxExists, true);
});
