import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { AddressCooldowns } from '../../../src/pipeline/address-scoring/address-cooldowns.ts';
import { domainsAt } from '../../../src/pipeline/address-scoring/domains-at.ts';
import { findAddressBytes } from '../../../src/pipeline/address-scoring/scored-address.ts';
import { startAddressScoring } from '../../../src/pipeline/address-scoring/start-address-scoring.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { addressWorld, fullScore } from './address-world.ts';

/** Shared by all tests of the file; each uses its own addresses and domains. */
const world = openWorld();

function openWorld() {
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-test-'));
  const clock = new TestClock();
  const allow = { flag: '--set', text: '198.51.100.0/24,2001:db8::/32' };
  const { settings } = readConfig({ environment: {}, flags: { 'collect.allow': allow } });
  const stores = {
    domains: openDomainStore(directory, clock),
    risks: openRiskStore(directory),
    rrsets: openRrsetStore(directory, clock),
    streams: openStreamStore(directory),
    jobs: openJobStore(directory, { now: Date.now }),
  };
  after(async () => {
    for (const store of Object.values(stores)) await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return addressWorld(
    { ...stores, clock, settings },
    { find: () => ({ asn: 64_500, isp: 'One', country: 'nl' }) },
  );
}

const dayMs = 86_400_000;

async function publishedFor(feed: 'iprisk' | 'iphotlist', ip: string) {
  return (await world.published(feed)).filter((line) => line['ip'] === ip);
}

/** Writes domains with full scores, and follows the updates. */
async function writeScored(...names: readonly string[]): Promise<void> {
  await world.write(names.map((domain) => ({ domain, domain_risk: fullScore(90) })));
  await world.follow();
}

test('an address is due 30 seconds after one of its domains became bad, in one job for all of them', async () => {
  await world.see('198.51.100.1', ['www.bad1.com', 'bad2.com']);
  await world.see('2001:db8::1', ['mail.bad1.com']);
  await world.write([{ domain: 'bad1.com', ip: [{ address: '198.51.100.2' }], domain_risk: fullScore(90) }]);
  await writeScored('bad2.com');
  assert.deepEqual(await world.completeDue(29), []);
  assert.deepEqual(await world.completeDue(1), ['198.51.100.1', '198.51.100.2', '2001:db8::1']);
  await world.follow();
  assert.deepEqual(await world.completeDue(), []);
});

test('a domain that is not bad enqueues its published addresses and no others', async () => {
  await world.see('198.51.100.3', ['turned.com', 'other3.com']);
  await world.see('198.51.100.4', ['turned.com']);
  await writeScored('turned.com');
  await world.completeDue();
  await world.score('198.51.100.3');
  await world.write([{ domain: 'turned.com', domain_risk: fullScore(20) }]);
  await world.write([
    { domain: 'other3.com', ip: [{ address: '198.51.100.4' }], domain_risk: fullScore(10) },
  ]);
  await world.follow();
  assert.deepEqual(await world.completeDue(), ['198.51.100.3']);
});

test('non-public addresses are not scored unless collect.allow permits them', async () => {
  await world.see('10.0.0.1', ['inside.com']);
  await world.see('127.0.0.1', ['inside.com']);
  await world.see('::ffff:203.0.113.1', ['inside.com']);
  await world.see('93.184.216.34', ['inside.com']);
  await writeScored('inside.com');
  assert.deepEqual(await world.completeDue(), ['93.184.216.34']);
});

test('the addresses of a bad domain are searched in passive DNS again until it is no longer bad', async () => {
  await writeScored('early.com');
  assert.deepEqual(await world.completeDue(), []);
  await world.see('198.51.100.5', ['early.com']);
  assert.ok((await world.findAgain(6 * 3600)).includes('early.com'));
  assert.ok((await world.completeDue()).includes('198.51.100.5'));
  await world.score('198.51.100.5');
  assert.ok((await world.findAgain(6 * 3600)).includes('early.com'));
  assert.ok(
    !(await world.completeDue()).includes('198.51.100.5'),
    'a published address is scored daily by its own job',
  );
  await world.write([{ domain: 'early.com', domain_risk: fullScore(5) }]);
  await world.findAgain(6 * 3600);
  assert.ok(!(await world.findAgain(6 * 3600)).includes('early.com'));
});

test('FEED-42 an address is on the hotlist with more than half of its domains bad, and not with exactly half', async () => {
  const ip = '198.51.100.6';
  await world.list('phishing', ['listed6.com']);
  await world.see(ip, ['www.listed6.com', 'listed6.com', 'fine6.com']);
  await world.score(ip);
  const [half] = await publishedFor('iprisk', ip);
  assert.deepEqual([half?.['total_domains'], half?.['all_threats_combined_percent']], [2, 50]);
  assert.deepEqual(await publishedFor('iphotlist', ip), []);
  await writeScored('fine6.com');
  await world.score(ip);
  const [, all] = await publishedFor('iprisk', ip);
  assert.equal(all?.['all_threats_combined_percent'], 100);
  assert.deepEqual(await publishedFor('iphotlist', ip), [all]);
});

test('FEED-42 an address that passive DNS did not see for a day is published, but not on the hotlist until it is seen again', async () => {
  const ip = '198.51.100.7';
  await world.list('malware', ['idle7.com']);
  await world.see(ip, ['idle7.com'], { hoursAgo: 25 });
  await world.score(ip);
  assert.equal((await publishedFor('iprisk', ip)).length, 1);
  assert.equal((await publishedFor('iphotlist', ip)).length, 0);
  await world.see(ip, ['idle7.com'], { hoursAgo: 23 });
  await world.score(ip);
  assert.equal((await publishedFor('iphotlist', ip)).length, 1);
});

test('resolutions are counted from sensors within risk.addressDays', async () => {
  const ip = '198.51.100.8';
  await world.list('spam', ['counted8.com']);
  await world.see(ip, ['counted8.com'], { hoursAgo: 24 * 31, count: 1000 });
  await world.see(ip, ['gone8.com'], { hoursAgo: 24 * 31, count: 500 });
  await world.see(ip, ['counted8.com'], { hoursAgo: 24 * 29, count: 30 });
  await world.see(ip, ['www.counted8.com'], { hoursAgo: 1, count: 4 });
  await world.see(ip, ['usual8.com'], { hoursAgo: 1, count: 200 });
  await world.see(ip, ['zone8.com', 'counted8.com'], { hoursAgo: 1, count: 7000, zone: true });
  await world.score(ip);
  const [line] = await publishedFor('iprisk', ip);
  assert.deepEqual(
    [line?.['pdns_resolutions'], line?.['bad_pdns_resolutions'], line?.['total_domains']],
    [234, 34, 2],
  );
  assert.deepEqual([line?.['asn'], line?.['organization'], line?.['country']], [64_500, 'One', 'NL']);
});

test('an address is published again when its figures change, and not because it was scored again', async () => {
  const ip = '2001:db8::9';
  await world.list('phishing', ['same9.com']);
  await world.see(ip, ['same9.com']);
  await world.score(ip);
  world.clock.advanceSeconds(600);
  const outcome = await world.score(ip);
  assert.deepEqual(outcome, { done: true, againMs: world.clock.now() + dayMs });
  assert.equal((await publishedFor('iprisk', ip)).length, 1);
  await world.see(ip, ['same9.com']);
  await Promise.all([world.score(ip), world.score(ip)]);
  assert.deepEqual(
    (await publishedFor('iphotlist', ip)).map((line) => line['pdns_resolutions']),
    [1, 2],
  );
});

test('an address without a bad domain is not published; with one again it is published again', async () => {
  const ip = '198.51.100.10';
  await world.see(ip, ['back10.com']);
  assert.deepEqual(await world.score(ip), { done: true, againMs: undefined });
  await world.list('phishing', ['back10.com']);
  await world.score(ip);
  await world.list('phishing', []);
  assert.deepEqual(await world.score(ip), { done: true, againMs: undefined });
  assert.equal((await publishedFor('iprisk', ip)).length, 1);
  await world.list('phishing', ['back10.com']);
  await world.score(ip);
  assert.equal((await publishedFor('iprisk', ip)).length, 2);
});

test('hosts of shared hosting count as domains, and names that are not host names are ignored', async () => {
  const ip = '198.51.100.11';
  await world.list('phishing', ['evil.pages.dev']);
  await world.see(ip, ['www.evil.pages.dev', 'kind.pages.dev', '*.kind.pages.dev', 'a\\.b.com', 'com', '.']);
  await world.score(ip);
  assert.equal((await publishedFor('iprisk', ip))[0]?.['total_domains'], 2);
});

test('the scan of an address stops at a number of domains and rows', async () => {
  const [many, wide] = ['198.51.100.12', '198.51.100.13'];
  await world.see(
    many,
    Array.from({ length: 2500 }, (_, index) => `www.many${index}.com`),
  );
  await world.see(
    wide,
    Array.from({ length: 2500 }, (_, index) => `host${index}.wide.com`),
  );
  const nowSeconds = Math.floor(world.clock.now() / 1000);
  const at = (address: string, domainsMax: number) =>
    domainsAt(findAddressBytes(address) ?? assert.fail(address), world.rrsets, {
      sinceSeconds: nowSeconds - 3600,
      nowSeconds,
      domainsMax,
    });
  const found = await at(many, 100);
  assert.deepEqual([found.resolutions.size, found.rows], [100, 101]);
  assert.deepEqual([(await at(many, 10_000)).resolutions.size], [2500]);
  const hosts = await at(wide, 10);
  assert.deepEqual([[...hosts.resolutions], hosts.rows], [[['wide.com', 500]], 500]);
});

test('the cooldown of an address grows with its rows, up to an hour', () => {
  const cooldowns = new AddressCooldowns();
  cooldowns.record('small', 2999, 1000);
  cooldowns.record('large', 6000, 1000);
  cooldowns.record('largest', 9_000_000, 1000);
  assert.deepEqual(
    ['small', 'large', 'largest'].map((address) => cooldowns.findEndMs(address, 1000)),
    [undefined, 61_000, 3_601_000],
  );
  assert.equal(cooldowns.findEndMs('large', 61_000), undefined);
  for (let other = 0; other < 1000; other += 1) cooldowns.record(`other${other}`, 6000, 2000);
  assert.equal(cooldowns.findEndMs('largest', 2000), undefined, 'the oldest is evicted');
});

test('an address in cooldown is scored when it ends, with everything observed in the meantime', async () => {
  const ip = '198.51.100.14';
  await world.list('phishing', ['cooled14.com']);
  await world.see(
    ip,
    Array.from({ length: 3000 }, (_, index) => `host${index}.cooled14.com`),
  );
  const startMs = world.clock.now();
  await world.score(ip);
  await world.see(ip, ['host1.cooled14.com']);
  assert.deepEqual(await world.score(ip), { done: true, againMs: startMs + 30_000 });
  world.clock.advanceSeconds(30);
  await world.score(ip);
  assert.deepEqual(
    (await publishedFor('iprisk', ip)).map((line) => line['pdns_resolutions']),
    [3000, 3001],
  );
});

test('the stage follows domain updates and performs the jobs they enqueue', async (t) => {
  const failures: unknown[] = [];
  const ip = '198.51.100.15';
  await world.completeDue(86_400);
  await world.see(ip, ['staged15.com']);
  await world.write([{ domain: 'staged15.com', domain_risk: fullScore(1, 99) }]);
  const stage = startAddressScoring({ ...world, onFailure: (error) => failures.push(error) });
  t.after(() => stage.close());
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
  while (stage.statistics().updates === 0) await soon();
  world.clock.advanceSeconds(30);
  while (stage.statistics().iphotlist === 0) await soon();
  assert.equal((await publishedFor('iprisk', ip))[0]?.['predicted_malware'], 1);
  await stage.close();
  assert.deepEqual(failures, []);
});
