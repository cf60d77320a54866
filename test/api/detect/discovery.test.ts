/** From ingested names to lists: what monitors find, as API clients see it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type DiscoveryFixture, discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import { analyst, type DetectFixture, freshAccounts, type Json } from './detect-fixture.ts';

interface World extends DetectFixture {
  /** The pipeline stages behind the API. */
  readonly pipeline: DiscoveryFixture;
}

async function onlyMonitor(world: DetectFixture): Promise<Json> {
  const { json } = await world.call('GET /v1/intel-detect/monitors/');
  const [monitor, ...others] = json.monitors;
  assert.deepEqual(others, []);
  return monitor;
}

async function eventsOf({ server, user }: DetectFixture): Promise<string[]> {
  const page = { afterId: 0, limit: 100 };
  return (await server.events.listEvents(user.caller.account.id, page)).map(({ kind }) => kind);
}

const fresh = await freshAccounts({ after });
/** A fresh account. Names persist across tests, so each test uses its own term. */
const begin = async (): Promise<World> => {
  const world = await fresh();
  return { ...world, pipeline: discoveryFixture(world.server) };
};
const see = async ({ pipeline }: World, ...names: string[]) => {
  await pipeline.append(names);
  await pipeline.discover();
};
/** A domain on the watched list, with a record. */
const watched = async (term: string) => {
  const world = await begin();
  const domain = `${term}-login.com`;
  await world.pipeline.write({ domain, registrar: 'One', name_server: [{ host: 'ns.one.net' }] });
  await world.monitor(term);
  await see(world, domain);
  await world.pipeline.follow();
  await world.patch([(await world.item('new', domain)).id], 'watched');
  world.server.clock.advanceSeconds(3600);
  return { ...world, domain };
};

test('MON-07 a monitor is pending until known names were searched, then completed', async () => {
  const world = await begin();
  await see(world, 'vaultbank-old.com');
  assert.equal((await world.monitor('vaultbank')).status, 'pending');
  assert.equal((await onlyMonitor(world)).status, 'pending');
  await world.pipeline.searchKnown();
  const { status, searched } = await onlyMonitor(world);
  assert.equal(status, 'completed');
  assert.ok(searched.names > 0);
  assert.equal(searched.of_names, searched.names);
  assert.deepEqual(await world.names('new'), ['vaultbank-old.com']);
});

test('MON-21 DOM-13 later lookalikes appear in the new list with the id of the monitor', async () => {
  const world = await begin();
  const { id } = await world.monitor('meridian');
  world.server.clock.advanceSeconds(90);
  await see(world, 'meridian-login.com', 'unrelated.com');
  const { watchlist_domains, total_count } = await world.list('new');
  assert.equal(total_count, 1);
  const [found] = watchlist_domains;
  assert.deepEqual([found.domain, found.monitor_ids], ['meridian-login.com', [id]]);
  assert.equal(found.discovered_date, '2026-03-04T10:12:42.000000+00:00');
  assert.equal(found.match[0].host, 'meridian-login.com');
});

test('TRI-01 a newly discovered domain is new, and nothing has changed yet', async () => {
  const world = await begin();
  await world.monitor('quartzpay');
  await see(world, 'quartzpay-login.com');
  const found = await world.item('new', 'quartzpay-login.com');
  assert.deepEqual([found.state, found.changed_date], ['new', null]);
  assert.deepEqual([await world.names('watched'), await world.names('ignored')], [[], []]);
});

test('MON-27 a lookalike spelling inside a longer name is found only when the monitor asks for it', async () => {
  const world = await begin();
  const strict = await world.monitor('northwind');
  const wide = await world.monitor('northwind', { match_substring_variations: true });
  await see(world, 'mysecurenorthwimdonline.com', 'northwimd.com');
  const idsOf = async (name: string) => (await world.item('new', name))?.monitor_ids;
  assert.deepEqual(await idsOf('mysecurenorthwimdonline.com'), [wide.id]);
  assert.deepEqual(new Set(await idsOf('northwimd.com')), new Set([strict.id, wide.id]));
});

test('MON-28 a domain is left out when all its name servers are excluded', async () => {
  const world = await begin();
  const servers = (...hosts: string[]) => ({ name_server: hosts.map((host) => ({ host })) });
  await world.pipeline.write({ domain: 'blueriver-a.com', ...servers('ns1.own.net', 'ns2.own.net') });
  await world.pipeline.write({ domain: 'blueriver-b.com', ...servers('ns1.own.net', 'ns.other.net') });
  await world.monitor('blueriver', { nameserver_exclusions: ['*.own.net'] });
  await see(world, 'blueriver-a.com', 'blueriver-b.com', 'blueriver-c.com');
  assert.deepEqual((await world.names('new')).sort(), ['blueriver-b.com', 'blueriver-c.com']);
});

test('MON-28 name servers that become known later are applied as well', async () => {
  const world = await begin();
  await world.monitor('redstone', { nameserver_exclusions: ['*.own.net'] });
  await see(world, 'redstone-login.com');
  assert.deepEqual(await world.names('new'), ['redstone-login.com']);
  await world.pipeline.write({ domain: 'redstone-login.com', name_server: [{ host: 'ns1.own.net' }] });
  await world.pipeline.follow();
  assert.deepEqual(await world.names('new'), []);
});

test('MON-29 a domain whose name contains an excluded term is left out', async () => {
  const world = await begin();
  await world.monitor('greenfield', { text_exclusions: ['School', 'club'] });
  await see(world, 'greenfield-school.com', 'greenfieldclub.net', 'greenfield-login.com');
  await world.pipeline.append(['greenfield.school.evil.top'], 'noh');
  await world.pipeline.discover();
  assert.deepEqual(await world.names('new'), ['greenfield-login.com']);
});

test('MON-29 removing an exclusion brings back what it left out', async () => {
  const world = await begin();
  const { id } = await world.monitor('silverlake', { text_exclusions: ['school'] });
  await see(world, 'silverlake-school.com');
  await world.pipeline.searchKnown();
  assert.deepEqual(await world.names('new'), []);
  const route = `PUT /v1/intel-detect/monitors/?monitor_id=${id}`;
  assert.equal((await world.call(route, { body: { text_exclusions: [] } })).status, 200);
  await world.pipeline.searchKnown();
  assert.deepEqual(await world.names('new'), ['silverlake-school.com']);
});

test('MON-38 after DELETE nothing is matched for the monitor, and domains that only it matched are gone', async () => {
  const world = await begin();
  const { id } = await world.monitor('coppermine');
  await see(world, 'coppermine-one.com');
  assert.deepEqual(await world.names('new'), ['coppermine-one.com']);
  await world.call(`DELETE /v1/intel-detect/monitors/?monitor_id=${id}`);
  await see(world, 'coppermine-two.com');
  for (const list of ['new', 'watched', 'ignored'] as const) assert.deepEqual(await world.names(list), []);
});

test('TRI-03 DOM-14 a change of a watched domain’s registration or DNS data sets its changed_date', async () => {
  const world = await watched('harborline');
  const before = world.server.clock.now();
  assert.equal((await world.item('watched', world.domain)).changed_date, null);
  await world.pipeline.write({
    domain: world.domain,
    registrar: 'Two',
    name_server: [{ host: 'ns.one.net' }],
  });
  await world.pipeline.follow();
  assert.equal(
    (await world.item('watched', world.domain)).changed_date,
    `${new Date(before).toISOString().slice(0, -1)}000+00:00`,
  );
  const since = (ms: number) => `changed_since=${new Date(ms).toISOString()}`;
  assert.deepEqual(await world.names('watched', since(before)), [world.domain]);
  assert.deepEqual(await world.names('watched', since(before + 1)), []);
  assert.deepEqual(await eventsOf(world), ['discovered', 'changed']);
});

test('DOM-35 a new score, a new web site, triage and escalation do not count as changes', async () => {
  const world = await watched('silkroute');
  await world.pipeline.write({
    domain: world.domain,
    registrar: 'One',
    name_server: [{ host: 'ns.one.net' }],
    website_title: 'Log in',
    domain_risk: { risk_score: 70, components: [{ name: 'proximity', risk_score: 70 }] },
  });
  await world.pipeline.follow();
  const item = await world.item('watched', world.domain);
  await world.patch([item.id], 'watched');
  await world.escalate([item.id], 'blocked');
  const { risk_score, changed_date } = await world.item('watched', world.domain);
  assert.deepEqual([risk_score, changed_date], [70, null]);
});

test('TRI-06 a change and a full score of an ignored domain raise no alert', async () => {
  const world = await watched('amberfox');
  await world.patch([(await world.item('watched', world.domain)).id], 'ignored');
  const names = ['threat_profile_phishing', 'threat_profile_malware', 'threat_profile_spam'];
  await world.pipeline.write({
    domain: world.domain,
    registrar: 'Two',
    domain_risk: { risk_score: 99, components: names.map((name) => ({ name, risk_score: 99 })) },
  });
  await world.pipeline.follow();
  assert.equal((await world.item('ignored', world.domain)).risk_score, 99);
  assert.deepEqual(await eventsOf(world), ['discovered']);
});

test('TRI-19 a domain that is discovered again keeps its state', async () => {
  const world = await watched('ironbridge');
  const other = await world.monitor('ironbridge-login');
  await world.pipeline.append([`www.${world.domain}`], 'noh');
  await world.pipeline.discover();
  await world.pipeline.searchKnown();
  assert.deepEqual(await world.names('new'), []);
  const item = await world.item('watched', world.domain);
  assert.ok(item.monitor_ids.includes(other.id));
  await world.patch([item.id], 'ignored');
  await world.pipeline.append([`mail.${world.domain}`], 'noh');
  await world.pipeline.discover();
  assert.deepEqual([await world.names('new'), await world.names('ignored')], [[], [world.domain]]);
});

test('two accounts that monitor the same term each have their own lists', async () => {
  const world = await begin();
  const neighbour = await world.server.user({ permissions: analyst });
  const mine = await world.monitor('tidewater');
  const theirs = await world.monitor('tidewater', {}, neighbour);
  await see(world, 'tidewater-login.com');
  await world.patch([(await world.item('new', 'tidewater-login.com')).id], 'ignored');
  const { watchlist_domains } = await world.list('new', '', neighbour);
  assert.deepEqual(
    watchlist_domains.map(({ domain, monitor_ids }: Json) => [domain, monitor_ids]),
    [['tidewater-login.com', [theirs.id]]],
  );
  assert.deepEqual((await world.item('ignored', 'tidewater-login.com')).monitor_ids, [mine.id]);
});

test('own domains are not listed', async () => {
  const world = await begin();
  await world.monitor('stonegate');
  const body = { add: ['stonegate.com'] };
  assert.equal((await world.call('POST /v1/intel-detect/own-domains/', { body })).status, 200);
  await see(world, 'stonegate.com', 'stonegate-login.com');
  await world.pipeline.append(['mail.stonegate.com'], 'noh');
  await world.pipeline.discover();
  assert.deepEqual(await world.names('new'), ['stonegate-login.com']);
});
