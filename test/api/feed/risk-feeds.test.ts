/** domainrisk and domainhotlist, from what is learnt about a domain to what a client polls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../../src/model/risk/verdict.ts';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import {
  addToList,
  crewRecord,
  recordDiscovery,
  riskOf,
  scoreAll,
  usualScorer,
  writeRecord,
} from '../../harness/fixtures/scoring-fixture.ts';
import { type FeedServer, feedServer, recordsOf, sharedFeedServers } from './feed-fixture.ts';

const sharedServer = sharedFeedServers();

const [hour, day] = [3600, 86_400];

/** The members of a line for a domain of which only the name is known. */
function threatScores(domain: string): Record<string, number> {
  const scores = usualScorer.names.findScores(domain);
  assert.ok(scores);
  return { phishing_risk: scores.phishing, malware_risk: scores.malware, spam_risk: scores.spam };
}

async function riskFeeds(own?: FeedServer) {
  const server = own ?? (await sharedServer());
  const { clock } = server;
  const score = (risk: Partial<typeof server.settings.risk> = {}) =>
    scoreAll({
      ...server,
      scorer: usualScorer,
      settings: { ...server.settings, risk: { ...server.settings.risk, ...risk } },
    });
  /** Lines of a feed about a domain, oldest first. */
  const linesOf = async (feed: 'domainrisk' | 'domainhotlist', domain: string) =>
    recordsOf(await server.poll(feed, `after=-${5 * day}`)).filter((record) => record['domain'] === domain);
  const see = (domain: string, ago = 0, more: Partial<Seen> = {}) =>
    server.observe([{ rrname: `www.${domain}`, time_first: Math.floor(clock.now() / 1000) - ago, ...more }]);
  const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const listWithWeight = async (domain: string, weight: Verdict['weight']) => {
    await writeRecord(server, { domain });
    const snapshot = { list: domain, label: 'spam', weight, id: 1, untilMs: undefined } as const;
    await server.risks.addListed(snapshot, [{ domain }]);
  };
  return { server, clock, score, linesOf, see, second, listWithWeight };
}

test('FEED-40 a domain that scores 70 or more is published with its scores, whether it has been observed or not', async () => {
  const { server, clock, score, linesOf, second } = await riskFeeds();
  await recordDiscovery(server, 'amberfox.com');
  await score();
  assert.deepEqual(await linesOf('domainrisk', 'amberfox.com'), []);
  await addToList(server, 'phishing', ['amberfox.com']);
  await score();
  assert.deepEqual(await linesOf('domainrisk', 'amberfox.com'), [
    {
      timestamp: second(clock.now()),
      domain: 'amberfox.com',
      ...threatScores('amberfox.com'),
      proximity_risk: 100,
      overall_risk: 100,
    },
  ]);
});

test('FEED-03 FEED-29 a provisional line has the three threat scores of the name, and filters see them', async (t) => {
  const { server, score, linesOf } = await riskFeeds(await feedServer(t));
  await recordDiscovery(server, 'harbourcandle.com');
  await addToList(server, 'phishing', ['harbourcandle.com']);
  await score();
  const { phishing_risk: phishing = 0 } = threatScores('harbourcandle.com');
  const [record] = (await server.domains.findRecords(['harbourcandle.com'])).map((one) => one?.domain_risk);
  assert.ok(record?.components.every(({ name }) => !/malware|spam/.test(name)));
  assert.deepEqual((await linesOf('domainrisk', 'harbourcandle.com')).length, 1);
  const found = async (least: number) =>
    recordsOf(await server.poll('domainrisk', `after=-3600&phishing_min=${least}`)).length;
  assert.deepEqual([await found(phishing), await found(phishing + 1)], [1, 0]);
});

test('FEED-40 FEED-41 the overall score of a provisional line is the largest of its scores, and decides', async () => {
  const { server, score, linesOf, see } = await riskFeeds();
  // A name for which phishing, the only threat in its record, is not the highest.
  const made = Array.from(
    { length: 40 },
    (_, at) => `q${(at * 7919 + 10_007).toString(36)}xkvjw${at}zhp.com`,
  );
  const domain = made.find((name) => {
    const { phishing_risk = 0, malware_risk = 0, spam_risk = 0 } = threatScores(name);
    return Math.max(malware_risk, spam_risk) > phishing_risk;
  });
  assert.ok(domain);
  const most = Math.max(...Object.values(threatScores(domain)));
  await recordDiscovery(server, domain);
  await see(domain);
  await score({ domainRiskMin: most, hotlistThreatMin: most });
  for (const feed of ['domainrisk', 'domainhotlist'] as const) {
    const [line] = await linesOf(feed, domain);
    assert.equal(line?.['overall_risk'], most, feed);
  }
  await recordDiscovery(server, 'plain-orchard.com');
  await see('plain-orchard.com');
  await score();
  assert.deepEqual(
    await linesOf('domainhotlist', 'plain-orchard.com'),
    [],
    'no name is hot below the threshold',
  );
});

test('FEED-40 a score of 69 is not published and 70 is', async () => {
  const { server, score, linesOf, listWithWeight } = await riskFeeds();
  await listWithWeight('copperbell.com', 0.69);
  await listWithWeight('dovecote.com', 0.7);
  await score();
  const scoreOf = async (domain: string) => (await riskOf(server, domain))?.risk_score;
  assert.deepEqual([await scoreOf('copperbell.com'), await scoreOf('dovecote.com')], [69, 70]);
  assert.equal((await linesOf('domainrisk', 'copperbell.com')).length, 0);
  assert.equal((await linesOf('domainrisk', 'dovecote.com')).length, 1);
});

test('FEED-40 the line of a full score has all scores', async () => {
  const { server, clock, score, linesOf, second } = await riskFeeds();
  await writeRecord(server, crewRecord('elmgrove.com', 'elm'));
  await score();
  clock.advanceSeconds(day);
  await score();
  await addToList(server, 'phishing', ['elmgrove.com']);
  await score();
  const [full, ...others] = await linesOf('domainrisk', 'elmgrove.com');
  assert.deepEqual(others, []);
  for (const member of ['phishing_risk', 'malware_risk', 'spam_risk'])
    assert.ok(Number.isInteger(full?.[member]), member);
  assert.equal(full?.['timestamp'], second(clock.now()));
});

test('FEED-40 a zero-listed domain is never published, whatever the threshold', async () => {
  const { server, score, linesOf } = await riskFeeds();
  await writeRecord(server, { domain: 'foxglove.com' });
  await addToList(server, 'good', ['foxglove.com']);
  await score({ domainRiskMin: 0 });
  assert.deepEqual(await linesOf('domainrisk', 'foxglove.com'), []);
});

test('FEED-41 a domain with high proximity that sensors saw within 24 hours is on the hotlist, and expires 24 hours later', async () => {
  const { server, clock, score, linesOf, see, second } = await riskFeeds();
  await writeRecord(server, { domain: 'gooseberry.com' });
  await see('gooseberry.com', day);
  await addToList(server, 'malware', ['gooseberry.com']);
  await score();
  const [line, ...others] = await linesOf('domainhotlist', 'gooseberry.com');
  assert.deepEqual(others, []);
  assert.equal(line?.['proximity_risk'], 100);
  assert.equal(line?.['timestamp'], second(clock.now()));
  assert.equal(line?.['expires'], second(clock.now() + day * 1000));
});

test('FEED-41 a domain that was not seen within 24 hours is not on the hotlist until it is seen', async () => {
  const { server, clock, score, linesOf, see } = await riskFeeds();
  await writeRecord(server, { domain: 'hawthorn.com' });
  await see('hawthorn.com', day + 1);
  await see('hawthorn.com', 0, { zone_time_first: Math.floor(clock.now() / 1000) });
  await addToList(server, 'malware', ['hawthorn.com']);
  await score();
  assert.deepEqual(await linesOf('domainhotlist', 'hawthorn.com'), []);
  await see('hawthorn.com');
  clock.advanceSeconds(hour);
  await score();
  assert.equal((await linesOf('domainhotlist', 'hawthorn.com')).length, 1);
});

test('FEED-41 a domain that is still seen is published again when its line has expired, and not before', async () => {
  const { server, clock, score, linesOf, see } = await riskFeeds();
  await writeRecord(server, { domain: 'ironwood.com' });
  await see('ironwood.com');
  await addToList(server, 'malware', ['ironwood.com']);
  // Its score becomes full at the moment the line expires.
  await score({ fullAfterSeconds: 0 });
  clock.advanceSeconds(day - 1);
  await see('ironwood.com');
  await score();
  assert.equal((await linesOf('domainhotlist', 'ironwood.com')).length, 1);
  clock.advanceSeconds(1);
  await score();
  assert.equal((await linesOf('domainhotlist', 'ironwood.com')).length, 2);
});

test('FEED-41 a phishing score at the threshold is enough, one less is not, nor is a proximity of 69', async () => {
  const { server, score, linesOf, see, listWithWeight } = await riskFeeds();
  const isHot = async (domain: string, hotlistThreatMin: number) => {
    await writeRecord(server, { domain });
    await see(domain);
    await score({ hotlistThreatMin });
    return (await linesOf('domainhotlist', domain)).length === 1;
  };
  const phishingOf = (domain: string) => usualScorer.names.findScores(domain)?.phishing ?? 0;
  const [one, other] = ['juniper-account-verify.com', 'kestrel-account-verify.com'] as const;
  assert.equal(await isHot(one, phishingOf(one)), true);
  assert.equal(await isHot(other, phishingOf(other) + 1), false);
  await listWithWeight('copperbell.com', 0.69);
  await see('copperbell.com');
  await score();
  assert.deepEqual(await linesOf('domainhotlist', 'copperbell.com'), []);
  const { hotlistProximityMin, hotlistThreatMin, hotlistHours } = server.settings.risk;
  assert.deepEqual([hotlistProximityMin, hotlistThreatMin, hotlistHours], [70, 90, 24]);
});

test('FEED-41 a domain that is no longer listed as bad is no longer watched for', async () => {
  const { server, clock, score, linesOf, see } = await riskFeeds();
  await writeRecord(server, { domain: 'larkspur.com' });
  await addToList(server, 'malware', ['larkspur.com'], hour);
  await score();
  clock.advanceSeconds(hour);
  await server.risks.removeExpired(clock.now(), 1000);
  await score();
  await see('larkspur.com');
  clock.advanceSeconds(day);
  await score();
  assert.deepEqual(await linesOf('domainhotlist', 'larkspur.com'), []);
});
