import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNameIntake } from '../../../src/collect/sources/name-intake.ts';
import { watchedJobKinds } from '../../../src/model/detect/watched-jobs.ts';
import { namesStream } from '../../../src/model/stream-names.ts';
import { namesOfFeed } from '../../../src/pipeline/discovery/names-of-feed.ts';
import {
  discoveryWorld,
  domainsOf,
  listed,
  monitor,
  sharedWorld,
} from '../../harness/fixtures/discovery-fixture.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const world = sharedWorld();

test('a name from a feed is put on the watchlist of the account that monitors its term', async () => {
  const { id } = await monitor(world, 'a0', 'vaultbank');
  await world.append(['vaultbank-login.com', 'example.com']);
  await world.discover();
  const [domain, ...others] = await domainsOf(world.watchlist, 'a0');
  assert.deepEqual(others, []);
  assert.equal(domain?.domain, 'vaultbank-login.com');
  assert.equal(domain?.tld, 'com');
  assert.deepEqual(domain?.monitorIds, [id]);
  assert.equal(domain?.discoveredMs, world.clock.now());
  assert.equal(domain?.matches[0]?.reason.name, 'vaultbank-login.com');
});

test('two accounts each see what their own monitors found, and nothing else', async () => {
  await monitor(world, 'a1', 'meridian');
  await monitor(world, 'b1', 'zenithair');
  await monitor(world, 'b1', 'meridian');
  await world.append(['meridian-login.com', 'zenithair-login.com', 'example.com']);
  await world.discover();
  assert.deepEqual(await listed(world.watchlist, 'a1'), ['meridian-login.com']);
  assert.deepEqual(await listed(world.watchlist, 'b1'), ['meridian-login.com', 'zenithair-login.com']);
  assert.deepEqual(await listed(world.watchlist, 'c1'), []);
});

test('a host name is reported as its registrable domain, with the host in the match', async () => {
  await monitor(world, 'a2', 'quartzpay');
  await world.append(['quartzpay.com.evil.top', 'quartzpay-login.pages.dev', 'www.quartzpay.co.uk'], 'noh');
  await world.discover();
  const found = await domainsOf(world.watchlist, 'a2');
  const shown = found.map(({ domain, tld, matches }) => `${domain} ${tld} ${matches[0]?.reason.name}`);
  assert.deepEqual(shown.sort(), [
    'evil.top top quartzpay.com.evil.top',
    'quartzpay-login.pages.dev dev quartzpay-login.pages.dev',
    'quartzpay.co.uk co.uk www.quartzpay.co.uk',
  ]);
});

test('host names from sources are matched too, and nothing is reported twice', async () => {
  await monitor(world, 'a20', 'opalcredit');
  const intake = openNameIntake({
    ...world,
    names: { recordNames: async () => 0, findCheckpoint: async () => undefined },
  });
  for (let round = 0; round < 2; round += 1) {
    await intake.ingest('ct:test', {
      names: ['opalcredit.com.evil.top', '*.opalcredit.evil.top'],
      seenMs: 0,
    });
    await world.discover();
  }
  const [found, ...others] = await domainsOf(world.watchlist, 'a20');
  assert.deepEqual([found?.domain, others], ['evil.top', []]);
});

test('MON-06 a paused monitor matches nothing; when it is resumed it finds what it missed', async () => {
  const { id } = await monitor(world, 'a21', 'harborline');
  await world.searchKnown();
  const turn = (state: 'active' | 'inactive') =>
    world.monitors.updateMonitor('a21', id, { state }, world.clock.now());
  await turn('inactive');
  await world.append(['harborline-login.com']);
  await world.discover();
  await world.searchKnown();
  const known = await world.watchlist.findListedDomains(['harborline-login.com']);
  assert.deepEqual([await listed(world.watchlist, 'a21'), [...known]], [[], []]);
  await turn('active');
  await world.searchKnown();
  assert.deepEqual(await listed(world.watchlist, 'a21'), ['harborline-login.com']);
});

test('own domains are never reported, nor names below them', async () => {
  await monitor(world, 'a3', 'northwind');
  await world.monitors.changeOwnDomains('a3', { add: ['northwind.com', 'northwind.evil.top'], remove: [] });
  await world.append(['northwind.com', 'northwind-x.com']);
  await world.append(['www.northwind.com', 'www.northwind.evil.top'], 'noh');
  await world.discover();
  assert.deepEqual(await listed(world.watchlist, 'a3'), ['northwind-x.com']);
});

test('an own domain of one account is reported to others', async () => {
  await monitor(world, 'a4', 'blueriver');
  await monitor(world, 'b4', 'blueriver');
  await world.monitors.changeOwnDomains('a4', { add: ['blueriver.com'], remove: [] });
  await world.append(['blueriver.com']);
  await world.discover();
  assert.deepEqual(await listed(world.watchlist, 'a4'), []);
  assert.deepEqual(await listed(world.watchlist, 'b4'), ['blueriver.com']);
});

test('a discovered domain gets immediate jobs once', async () => {
  await monitor(world, 'a5', 'redstone');
  await world.append(['redstone-login.com']);
  await world.discover();
  const dueJobs = async (kind: string) => {
    const nowMs = world.clock.now();
    const jobs = await world.jobs.leaseJobs(kind, 100, nowMs, nowMs + 1000);
    for (const job of jobs) await world.jobs.finishJob(job, undefined);
    return jobs.map(({ subject }) => subject).filter((subject) => subject.includes('redstone'));
  };
  for (const kind of watchedJobKinds) assert.deepEqual(await dueJobs(kind), ['redstone-login.com']);
  await world.append(['www.redstone-login.com'], 'noh');
  await world.discover();
  for (const kind of watchedJobKinds) assert.deepEqual(await dueJobs(kind), []);
});

test('the facts of a record are on the list when the domain is discovered', async () => {
  await world.write({
    domain: 'greenfield-login.com',
    active: false,
    mx: [{ host: 'mx.example.net' }],
    domain_risk: { risk_score: 77, components: [] },
  });
  await monitor(world, 'a6', 'greenfield');
  await world.append(['greenfield-login.com']);
  await world.discover();
  const [domain] = await domainsOf(world.watchlist, 'a6');
  assert.deepEqual([domain?.active, domain?.mxExists, domain?.riskScore], [false, true, 77]);
});

test('every name becomes a known name once, matched or not', async (t) => {
  const own = discoveryWorld(t);
  await own.append(['one.com', 'two.com']);
  await own.append(['www.one.com'], 'noh');
  await own.discover();
  await own.discover();
  assert.deepEqual(await linesIn(own.streams, namesStream), ['one.com', 'two.com', 'www.one.com']);
});

test('a failure after the append of known names does not append them again', async (t) => {
  const own = discoveryWorld(t);
  await monitor(own, 'a', 'paypal');
  await own.append(['paypal-1.com', 'paypal-2.com']);
  const discover = own.watchlist.addDiscoveries.bind(own.watchlist);
  own.watchlist.addDiscoveries = () => Promise.reject(new Error('no'));
  await assert.rejects(own.discover());
  own.watchlist.addDiscoveries = discover;
  await own.append(['paypal-3.com']);
  await own.discover();
  const names = ['paypal-1.com', 'paypal-2.com', 'paypal-3.com'];
  assert.deepEqual(await linesIn(own.streams, namesStream), names);
  assert.deepEqual(await listed(own.watchlist, 'a'), names);
});

test('a monitor created later matches names from then on', async () => {
  await monitor(world, 'a9', 'zenithair');
  await world.append(['harborline-1.com']);
  await world.discover();
  await monitor(world, 'a9', 'harborline');
  await world.append(['harborline-2.com']);
  await world.discover();
  assert.deepEqual(await listed(world.watchlist, 'a9'), ['harborline-2.com']);
});

test('two processes share one consumer: nothing is processed twice or skipped', async (t) => {
  const directory = temporaryDirectory(t);
  const [one, other] = [discoveryWorld(t, directory), discoveryWorld(t, directory)];
  await monitor(one, 'a', 'paypal');
  const names = Array.from(
    { length: 3000 },
    (_, index) => `${index % 50 === 0 ? 'paypal' : 'x'}-${index}.com`,
  );
  await one.append(names);
  await Promise.all([one.discover(), other.discover()]);
  await one.discover();
  assert.deepEqual(await linesIn(one.streams, namesStream), names);
  assert.equal((await listed(one.watchlist, 'a')).length, 60);
});

test('lines without a host name are skipped', () => {
  const lines = [
    '{"timestamp":"2026-01-02T03:04:05Z","domain":"Good.Example"}',
    '{"domain":"b\\\\000d.example"}',
    '{"domain":17}',
    'no JSON',
    '{}',
    '{"domain":"single"}',
    '{"domain":"a..b"}',
    '{"domain":"new\\nline.example"}',
    `{"domain":"${'a.'.repeat(200)}example"}`,
    '{"domain":"_dmarc.xn--80ak6aa92e.com"}',
    '{"domain":"*.example.org"}',
  ];
  const names = Buffer.from(namesOfFeed(Buffer.from(`${lines.join('\n')}\n`))).toString();
  assert.equal(names, 'good.example\n_dmarc.xn--80ak6aa92e.com\n*.example.org\n');
});
