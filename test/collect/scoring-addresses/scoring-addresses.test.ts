import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AddressRests } from '../../../src/collect/scoring-addresses/address-rests.ts';
import { domainsAt } from '../../../src/collect/scoring-addresses/domains-at.ts';
import { findAddressBytes } from '../../../src/collect/scoring-addresses/scored-address.ts';
import { startAddressScoring } from '../../../src/collect/scoring-addresses/start-address-scoring.ts';
import { readConfig } from '../../../src/config.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { openJobStore } from '../../../src/store/embedded/job-store.ts';
import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { addressWorld, fullScore } from './address-world.ts';

/** Of all tests of the file; each has addresses and domains of its own. */
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
    jobs: openJobStore(directory),
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

async function toldOf(feed: 'iprisk' | 'iphotlist', ip: string) {
  return (await world.told(feed)).filter((line) => line['ip'] === ip);
}

/** Domains with full scores, written. */
async function writeScored(...names: readonly string[]): Promise<void> {
  await world.write(names.map((domain) => ({ domain, domain_risk: fullScore(90) })));
  await world.follow();
}

test('an address is to be scored some time after one of its domains became bad, once for all of them', async () => {
  await world.see('198.51.100.1', ['www.bad1.com', 'bad2.com']);
  await world.see('2001:db8::1', ['mail.bad1.com']);
  await world.write([{ domain: 'bad1.com', ip: [{ address: '198.51.100.2' }], domain_risk: fullScore(90) }]);
  await writeScored('bad2.com');
  assert.deepEqual(await world.takeDue(29), []);
  assert.deepEqual(await world.takeDue(1), ['198.51.100.1', '198.51.100.2', '2001:db8::1']);
  await world.follow();
  assert.deepEqual(await world.takeDue(), []);
});

test('a domain that is not bad leads to addresses that were told, and to no others', async () => {
  await world.see('198.51.100.3', ['turned.com', 'other3.com']);
  await world.see('198.51.100.4', ['turned.com']);
  await writeScored('turned.com');
  await world.takeDue();
  await world.score('198.51.100.3');
  await world.write([{ domain: 'turned.com', domain_risk: fullScore(20) }]);
  await world.write([
    { domain: 'other3.com', ip: [{ address: '198.51.100.4' }], domain_risk: fullScore(10) },
  ]);
  await world.follow();
  assert.deepEqual(await world.takeDue(), ['198.51.100.3']);
});

test('addresses that are not of the Internet are not scored unless collectors may see them', async () => {
  await world.see('10.0.0.1', ['inside.com']);
  await world.see('127.0.0.1', ['inside.com']);
  await world.see('::ffff:203.0.113.1', ['inside.com']);
  await world.see('93.184.216.34', ['inside.com']);
  await writeScored('inside.com');
  assert.deepEqual(await world.takeDue(), ['93.184.216.34']);
});

test('a bad domain is looked for again in passive DNS, until it is no longer bad', async () => {
  await writeScored('early.com');
  assert.deepEqual(await world.takeDue(), []);
  await world.see('198.51.100.5', ['early.com']);
  assert.ok((await world.lookAgain(6 * 3600)).includes('early.com'));
  assert.ok((await world.takeDue()).includes('198.51.100.5'));
  await world.score('198.51.100.5');
  assert.ok((await world.lookAgain(6 * 3600)).includes('early.com'));
  assert.ok(!(await world.takeDue()).includes('198.51.100.5'), 'it has its own time every day');
  await world.write([{ domain: 'early.com', domain_risk: fullScore(5) }]);
  await world.lookAgain(6 * 3600);
  assert.ok(!(await world.lookAgain(6 * 3600)).includes('early.com'));
});

test('FEED-42 an address is told hot with more than half of its domains bad, and not with exactly half', async () => {
  const ip = '198.51.100.6';
  await world.list('phishing', ['listed6.com']);
  await world.see(ip, ['www.listed6.com', 'listed6.com', 'fine6.com']);
  await world.score(ip);
  const [half] = await toldOf('iprisk', ip);
  assert.deepEqual([half?.['total_domains'], half?.['all_threats_combined_percent']], [2, 50]);
  assert.deepEqual(await toldOf('iphotlist', ip), []);
  await writeScored('fine6.com');
  await world.score(ip);
  const [, all] = await toldOf('iprisk', ip);
  assert.equal(all?.['all_threats_combined_percent'], 100);
  assert.deepEqual(await toldOf('iphotlist', ip), [all]);
});

test('FEED-42 an address that passive DNS did not see for a day is told, but not as hot, until it is seen again', async () => {
  const ip = '198.51.100.7';
  await world.list('malware', ['idle7.com']);
  await world.see(ip, ['idle7.com'], { hoursAgo: 25 });
  await world.score(ip);
  assert.equal((await toldOf('iprisk', ip)).length, 1);
  assert.equal((await toldOf('iphotlist', ip)).length, 0);
  await world.see(ip, ['idle7.com'], { hoursAgo: 23 });
  await world.score(ip);
  assert.equal((await toldOf('iphotlist', ip)).length, 1);
});

test('resolutions are those of sensors within the days of the setting', async () => {
  const ip = '198.51.100.8';
  await world.list('spam', ['counted8.com']);
  await world.see(ip, ['counted8.com'], { hoursAgo: 24 * 31, count: 1000 });
  await world.see(ip, ['gone8.com'], { hoursAgo: 24 * 31, count: 500 });
  await world.see(ip, ['counted8.com'], { hoursAgo: 24 * 29, count: 30 });
  await world.see(ip, ['www.counted8.com'], { hoursAgo: 1, count: 4 });
  await world.see(ip, ['usual8.com'], { hoursAgo: 1, count: 200 });
  await world.see(ip, ['zone8.com', 'counted8.com'], { hoursAgo: 1, count: 7000, zone: true });
  await world.score(ip);
  const [line] = await toldOf('iprisk', ip);
  assert.deepEqual(
    [line?.['pdns_resolutions'], line?.['bad_pdns_resolutions'], line?.['total_domains']],
    [234, 34, 2],
  );
  assert.deepEqual([line?.['asn'], line?.['organization'], line?.['country']], [64_500, 'One', 'NL']);
});

test('an address is told again when its figures change, and not because it was scored again', async () => {
  const ip = '2001:db8::9';
  await world.list('phishing', ['same9.com']);
  await world.see(ip, ['same9.com']);
  await world.score(ip);
  world.clock.advanceSeconds(600);
  const outcome = await world.score(ip);
  assert.deepEqual(outcome, { done: true, againMs: world.clock.now() + dayMs });
  assert.equal((await toldOf('iprisk', ip)).length, 1);
  await world.see(ip, ['same9.com']);
  await Promise.all([world.score(ip), world.score(ip)]);
  assert.deepEqual(
    (await toldOf('iphotlist', ip)).map((line) => line['pdns_resolutions']),
    [1, 2],
  );
});

test('an address without a bad domain is not told and not scored again; one that has one again is told again', async () => {
  const ip = '198.51.100.10';
  await world.see(ip, ['back10.com']);
  assert.deepEqual(await world.score(ip), { done: true, againMs: undefined });
  await world.list('phishing', ['back10.com']);
  await world.score(ip);
  await world.list('phishing', []);
  assert.deepEqual(await world.score(ip), { done: true, againMs: undefined });
  assert.equal((await toldOf('iprisk', ip)).length, 1);
  await world.list('phishing', ['back10.com']);
  await world.score(ip);
  assert.equal((await toldOf('iprisk', ip)).length, 2);
});

test('hosts of shared hosting are domains of their own, and what is no host name is none', async () => {
  const ip = '198.51.100.11';
  await world.list('phishing', ['evil.pages.dev']);
  await world.see(ip, ['www.evil.pages.dev', 'kind.pages.dev', '*.kind.pages.dev', 'a\\.b.com', 'com', '.']);
  await world.score(ip);
  assert.equal((await toldOf('iprisk', ip))[0]?.['total_domains'], 2);
});

test('of an address with very many domains, or of a domain with very many hosts, only so much is looked at', async () => {
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

test('an address that was much work rests for as long as that is worth, and not for ever', () => {
  const rests = new AddressRests();
  rests.note('small', 2999, 1000);
  rests.note('large', 6000, 1000);
  rests.note('largest', 9_000_000, 1000);
  assert.deepEqual(
    ['small', 'large', 'largest'].map((address) => rests.findEndMs(address, 1000)),
    [undefined, 61_000, 3_601_000],
  );
  assert.equal(rests.findEndMs('large', 61_000), undefined);
  for (let other = 0; other < 1000; other += 1) rests.note(`other${other}`, 6000, 2000);
  assert.equal(rests.findEndMs('largest', 2000), undefined, 'no more are remembered');
});

test('an address that rests is scored when it has rested, with everything that has come meanwhile', async () => {
  const ip = '198.51.100.14';
  await world.list('phishing', ['rested14.com']);
  await world.see(
    ip,
    Array.from({ length: 3000 }, (_, index) => `host${index}.rested14.com`),
  );
  const startMs = world.clock.now();
  await world.score(ip);
  await world.see(ip, ['host1.rested14.com']);
  assert.deepEqual(await world.score(ip), { done: true, againMs: startMs + 30_000 });
  world.clock.advanceSeconds(30);
  await world.score(ip);
  assert.deepEqual(
    (await toldOf('iprisk', ip)).map((line) => line['pdns_resolutions']),
    [3000, 3001],
  );
});

test('the stage follows domains and does the jobs that come of it', async (t) => {
  const failures: unknown[] = [];
  const ip = '198.51.100.15';
  await world.takeDue(86_400);
  await world.see(ip, ['staged15.com']);
  await world.write([{ domain: 'staged15.com', domain_risk: fullScore(1, 99) }]);
  const stage = startAddressScoring({ ...world, onFailure: (error) => failures.push(error) });
  t.after(() => stage.close());
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
  while (stage.statistics().updates === 0) await soon();
  world.clock.advanceSeconds(30);
  while (stage.statistics().iphotlist === 0) await soon();
  assert.equal((await toldOf('iprisk', ip))[0]?.['predicted_malware'], 1);
  await stage.close();
  assert.deepEqual(failures, []);
});
