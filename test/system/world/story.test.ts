import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'tldts';
import { containsAddress } from '../../../src/model/address/address-list.ts';
import { WorldClock } from '../../../world/clock.ts';
import { worldPrefix } from '../../../world/servers/world-server.ts';
import { brands } from '../../../world/story/brands.ts';
import { hourMs } from '../../../world/story/life.ts';
import { Story, type StoryOptions } from '../../../world/story/story.ts';
import type { WorldDomain, WorldEvent } from '../../../world/world-domain.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');
const usual: StoryOptions = { seed: 7, domains: 600, startMs, eventsPerHour: 120, hostile: true };

function startStory(options: Partial<StoryOptions> = {}) {
  const clock = new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
  const story = new Story({ ...usual, ...options }, clock);
  const events: WorldEvent[] = [];
  story.view.follow((event) => events.push(event));
  return { clock, story, events };
}

const all = ({ view }: Story): WorldDomain[] => [...view.domains()];

/** How many there are of each, the most common first. */
function counts(values: readonly string[]): number[] {
  return [...Map.groupBy(values, (value) => value).values()]
    .map((group) => group.length)
    .sort((one, other) => other - one);
}

async function digestOf(seed: number, hours: readonly number[]): Promise<string> {
  const { clock, story, events } = startStory({ seed });
  const digest = createHash('sha256').update(JSON.stringify(all(story)));
  for (const each of hours) await clock.advance(each * hourMs);
  return digest.update(JSON.stringify([events, all(story), story.popular])).digest('hex');
}

test('the same seed gives the same story byte for byte, in any number of steps', async () => {
  const first = await digestOf(7, [12]);
  assert.equal(await digestOf(7, [1, 0.01, 4.99, 6]), first);
  assert.notEqual(await digestOf(8, [12]), first);
});

test('as many domains as were asked for are registered over ten years, in order, under the top-level domains of the world', () => {
  const { story } = startStory();
  const domains = all(story);
  assert.equal(domains.length, usual.domains);
  const times = domains.map(({ registeredMs }) => registeredMs);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  const tenYearsMs = 3650 * 24 * hourMs;
  for (const { name, registeredMs, expiresMs, changedMs, certifiedMs = startMs } of domains) {
    assert.match(name, /^[a-z0-9-]+\.[a-z]+$/);
    assert.ok(story.view.topLevelDomains.includes(name.split('.')[1] ?? ''), name);
    assert.ok(registeredMs >= startMs - tenYearsMs && registeredMs <= startMs, name);
    assert.ok(changedMs >= registeredMs && changedMs <= startMs && expiresMs >= startMs, name);
    assert.ok(certifiedMs > startMs - 61 * 24 * hourMs && certifiedMs <= startMs, name);
  }
});

test('no top-level domain of the world is one of the real Internet', () => {
  const { story } = startStory();
  for (const topLevel of story.view.topLevelDomains) {
    assert.equal(parse(`name.${topLevel}`).isIcann, false, topLevel);
  }
});

test('all addresses lie in the prefix of the world, and every site is at one that is listed', async () => {
  const { clock, story } = startStory();
  await clock.advance(24 * hourMs);
  const { networks, siteAddresses, registrars } = story.view;
  assert.equal(new Set(siteAddresses).size, siteAddresses.length);
  assert.ok(siteAddresses.length >= 110 && siteAddresses.length <= 130);
  assert.equal(new Set(networks.map(({ prefix }) => prefix)).size, 25);
  assert.equal(registrars.length, 12);
  for (const address of siteAddresses) {
    assert.ok(containsAddress([worldPrefix], address), address);
    assert.ok(networks.some(({ prefix }) => containsAddress([prefix], address)));
  }
  for (const { name, addresses } of all(story)) {
    assert.ok(
      addresses.every((address) => siteAddresses.includes(address)),
      name,
    );
  }
  for (const { asn, organization } of networks) {
    assert.ok(asn >= 64_512 && asn <= 65_534);
    assert.ok(!organization.includes(','));
  }
});

test('a few registrars and name servers have most domains, and parkers have hundreds on one address', () => {
  const { story } = startStory({ domains: 2000 });
  const domains = all(story);
  const share = (values: readonly string[], first: number) =>
    counts(values)
      .slice(0, first)
      .reduce((sum, count) => sum + count, 0) / values.length;
  assert.ok(
    share(
      domains.map(({ registrar }) => registrar.name),
      3,
    ) > 0.5,
  );
  assert.ok(
    share(
      domains.map(({ nameServers }) => nameServers[0] ?? ''),
      3,
    ) > 0.6,
  );
  const parked = domains.filter(({ actor }) => actor === 'parker');
  assert.ok((counts(parked.map(({ addresses }) => addresses.join()))[0] ?? 0) > 100);
  assert.equal(new Set(parked.map(({ nameServers }) => nameServers.join())).size, 1);
  const people = new Set(domains.map(({ registrant }) => registrant?.name ?? ''));
  assert.ok([...people].some((name) => /[^\u0000-\u024f]/.test(name)));
});

test('each brand has its home, and its page there', () => {
  const { story } = startStory();
  assert.equal(new Set(brands.map(({ word }) => word)).size, 8);
  for (const { word, domain } of brands) {
    assert.match(word, /^[a-z]{6,}$/);
    const home = story.view.find(domain);
    assert.equal(home?.actor, 'brand');
    assert.equal(home?.site?.brand, word);
  }
});

const lifeOrder: readonly WorldEvent['kind'][] = [
  'registered',
  'hosted',
  'certified',
  'armed',
  'moved',
  'taken-down',
  'dropped',
];

test('a lookalike lives through its states in order, and DNS, certificate and page follow', async () => {
  const { clock, story, events } = startStory({ eventsPerHour: 30 });
  const states = new Map<string, WorldDomain | undefined>();
  story.view.follow(({ kind, domain }) => states.set(`${domain} ${kind}`, story.view.find(domain)));
  await clock.advance(20 * 24 * hourMs);
  const crewNames = [...states]
    .filter(([key, state]) => key.endsWith(' registered') && state?.actor === 'crew')
    .map(([key]) => key.split(' ')[0] as string);
  assert.ok(crewNames.length > 100);
  const byDomain = Map.groupBy(events, ({ domain }) => domain);
  let whole = 0;
  for (const name of crewNames) {
    // A report changes nothing, and comes when it comes.
    const kinds = (byDomain.get(name) ?? []).map(({ kind }) => kind).filter((kind) => kind !== 'reported');
    // A name may be registered again after its end; then its story begins anew.
    const life = kinds.slice(0, kinds.indexOf('dropped') + 1 || kinds.length + 1);
    const places = life.map((kind) => lifeOrder.indexOf(kind));
    assert.deepEqual(
      places,
      [...new Set(places)].sort((one, other) => one - other),
      `${name}: ${life.join()}`,
    );
    if (life.length === lifeOrder.length) whole += 1;
  }
  assert.ok(whole > 0, 'some lived through all of it');
  const name = crewNames[0] as string;
  const at = (kind: WorldEvent['kind']) => states.get(`${name} ${kind}`);
  assert.deepEqual(at('registered')?.addresses, []);
  assert.equal(at('hosted')?.addresses.length, 1);
  assert.ok(at('certified')?.hosts.includes(`www.${name}`));
  assert.equal(at('armed')?.site?.kind, 'login');
});

test('a crew comes in clusters of three to eight with everything shared', async () => {
  const { clock, story, events } = startStory();
  await clock.advance(10 * 60_000);
  const names = events.filter(({ kind }) => kind === 'registered').map(({ domain }) => domain);
  const cluster = names.map((name) => story.view.find(name)).filter((domain) => domain?.actor === 'crew');
  assert.ok(cluster.length >= 3);
  const [first, second] = cluster as [WorldDomain, WorldDomain];
  assert.deepEqual(second.registrant, first.registrant);
  assert.deepEqual(second.nameServers, first.nameServers);
  assert.equal(second.registrar.ianaId, first.registrar.ianaId);
  assert.ok(second.registeredMs - first.registeredMs < 2 * 60_000);
});

test('about as much happens in an hour as was asked for, and events come in order of time', async () => {
  const { clock, events } = startStory();
  await clock.advance(48 * hourMs);
  const times = events.map(({ atMs }) => atMs);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  const perHour = events.length / 48;
  assert.ok(perHour > 0.6 * usual.eventsPerHour && perHour < 1.5 * usual.eventsPerHour, `${perHour}`);
});

test('a world without hostility has none, and one without events stands', async () => {
  const { clock, story, events } = startStory({ hostile: false, eventsPerHour: 0 });
  assert.ok(all(story).every(({ actor }) => actor !== 'hostile'));
  assert.equal(story.findHostileAnswer('rebinding.brax'), undefined);
  await clock.advance(24 * hourMs);
  assert.ok(events.every(({ kind }) => kind !== 'registered'));
});

test('a hostile world has every kind of bad page and bad person', () => {
  const { story } = startStory();
  const hostile = all(story).filter(({ actor }) => actor === 'hostile');
  const kinds = new Set(hostile.map(({ site }) => site?.kind));
  for (const kind of [
    'script-title',
    'zip-bomb',
    'redirect-loop',
    'endless-page',
    'great-page',
    'slow-page',
  ]) {
    assert.ok(kinds.has(kind as never), kind);
  }
  const rebinding = story.findHostileAnswer('rebinding.brax');
  assert.ok(rebinding?.kind === 'rebinding' && story.view.siteAddresses.includes(rebinding.four[0] ?? ''));
  const persons = JSON.stringify(hostile.map(({ registrant }) => registrant));
  for (const bad of ['\\u001b[', '\u202e', '<script>', '\\r\\n']) assert.ok(persons.includes(bad), bad);
});

test('errands: the n-th lookalike is the same in every world of a seed, and dangerous at once', () => {
  const [one, other] = [startStory(), startStory()];
  const names = [one, other].map(({ story }) =>
    ['brightwater', 'orbitapay', 'brightwater'].map((brand) => story.errands.registerLookalike(brand).name),
  );
  assert.deepEqual(names[0], names[1]);
  assert.equal(new Set(names[0]).size, 3);
  const domain = one.story.view.find(names[0]?.[0] as string);
  assert.equal(domain?.site?.brand, 'brightwater');
  assert.equal(domain?.certifiedMs, startMs);
  assert.deepEqual(
    one.events.slice(0, 4).map(({ kind }) => kind),
    ['registered', 'hosted', 'certified', 'armed'],
  );
});

test('errands: hosting moves to another address, and what is taken down stays so', async () => {
  const { clock, story, events } = startStory();
  const domain = story.errands.registerLookalike('parcelhawk');
  const moved = story.errands.moveHosting(domain.name);
  assert.notDeepEqual(moved.addresses, domain.addresses);
  assert.ok(moved.addresses.every((address) => story.view.siteAddresses.includes(address)));
  const brand = story.view.find('brightwater.zon') as WorldDomain;
  assert.notDeepEqual(story.errands.moveHosting(brand.name).addresses, brand.addresses);
  story.errands.takeDown(domain.name);
  const down = story.view.find(domain.name);
  assert.deepEqual(down?.addresses, []);
  assert.ok(down?.statuses.includes('clientHold'));
  assert.throws(() => story.errands.moveHosting(domain.name), /taken down/);
  assert.throws(() => story.errands.moveHosting('unregistered.zon'), /not registered/);
  assert.throws(() => story.errands.registerLookalike('unknown-brand'), /no brand/);
  await clock.advance(hourMs);
  assert.equal(events.findLast((event) => event.domain === domain.name)?.kind, 'taken-down');
});
