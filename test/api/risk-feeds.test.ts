/** The feeds of risky domains and of the hotlist, from what is learnt of a domain to what a client polls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../src/model/risk/verdict.ts';
import type { Seen } from '../harness/observe.ts';
import { crewRecord, discover, riskOf, say, scoreAll, usualScorer, write } from '../harness/scoring.ts';
import { feedServer, recordsOf } from './feed-polling.ts';

const [hour, day] = [3600, 86_400];

test('the feeds of risky domains', async (top) => {
  const server = await feedServer(top);
  const { clock } = server;
  const score = (risk: Partial<typeof server.settings.risk> = {}) =>
    scoreAll({
      ...server,
      scorer: usualScorer,
      settings: { ...server.settings, risk: { ...server.settings.risk, ...risk } },
    });
  /** Lines of a feed about a domain, the first first. */
  const told = async (feed: 'domainrisk' | 'domainhotlist', domain: string) =>
    recordsOf(await server.poll(feed, `after=-${5 * day}`)).filter((record) => record['domain'] === domain);
  const see = (domain: string, ago = 0, more: Partial<Seen> = {}) =>
    server.observe([{ rrname: `www.${domain}`, time_first: Math.floor(clock.now() / 1000) - ago, ...more }]);
  const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

  await top.test(
    'FEED-40 a domain of 70 or more is told with its scores, whether anybody sees it or not',
    async () => {
      await discover(server, 'amberfox.com');
      await score();
      assert.deepEqual(await told('domainrisk', 'amberfox.com'), []);
      await say(server, 'phishing', ['amberfox.com']);
      await score();
      assert.deepEqual(await told('domainrisk', 'amberfox.com'), [
        {
          timestamp: second(clock.now()),
          domain: 'amberfox.com',
          phishing_risk: null,
          malware_risk: null,
          spam_risk: null,
          proximity_risk: 100,
          overall_risk: 100,
        },
      ]);
    },
  );

  await top.test('FEED-40 69 is not told and 70 is', async () => {
    const bad = async (domain: string, weight: Verdict['weight']) => {
      await write(server, { domain });
      const reading = { list: domain, label: 'spam', weight, id: 1, untilMs: undefined } as const;
      await server.risks.takeListed(reading, [{ domain }]);
    };
    await bad('copperbell.com', 0.69);
    await bad('dovecote.com', 0.7);
    await score();
    const scoreOf = async (domain: string) => (await riskOf(server, domain))?.risk_score;
    assert.deepEqual([await scoreOf('copperbell.com'), await scoreOf('dovecote.com')], [69, 70]);
    assert.equal((await told('domainrisk', 'copperbell.com')).length, 0);
    assert.equal((await told('domainrisk', 'dovecote.com')).length, 1);
  });

  await top.test(
    'FEED-40 each change of a score that is still so high is a line, and a full one has all scores',
    async () => {
      await write(server, crewRecord('elmgrove.com', 'elm'));
      await say(server, 'phishing', ['elmgrove.com']);
      await score();
      clock.advanceSeconds(day);
      await score();
      const [first, full, ...others] = await told('domainrisk', 'elmgrove.com');
      assert.deepEqual(others, []);
      assert.deepEqual(
        [first?.['phishing_risk'], first?.['malware_risk'], first?.['spam_risk']],
        [null, null, null],
      );
      for (const member of ['phishing_risk', 'malware_risk', 'spam_risk']) {
        assert.ok(Number.isInteger(full?.[member]), member);
      }
      assert.equal(full?.['timestamp'], second(clock.now()));
    },
  );

  await top.test('FEED-40 a zero-listed domain is never told, whatever the threshold', async () => {
    await write(server, { domain: 'foxglove.com' });
    await say(server, 'good', ['foxglove.com']);
    await score({ domainRiskMin: 0 });
    assert.deepEqual(await told('domainrisk', 'foxglove.com'), []);
  });

  await top.test(
    'FEED-41 a domain of such proximity that sensors saw within 24 hours is on the hotlist, and expires 24 hours later',
    async () => {
      await write(server, { domain: 'gooseberry.com' });
      await see('gooseberry.com', day);
      await say(server, 'malware', ['gooseberry.com']);
      await score();
      const [line, ...others] = await told('domainhotlist', 'gooseberry.com');
      assert.deepEqual(others, []);
      assert.equal(line?.['proximity_risk'], 100);
      assert.equal(line?.['timestamp'], second(clock.now()));
      assert.equal(line?.['expires'], second(clock.now() + day * 1000));
    },
  );

  await top.test('FEED-41 one that nobody saw within 24 hours is not, until somebody sees it', async () => {
    await write(server, { domain: 'hawthorn.com' });
    await see('hawthorn.com', day + 1);
    await see('hawthorn.com', 0, { zone_time_first: Math.floor(clock.now() / 1000) });
    await say(server, 'malware', ['hawthorn.com']);
    await score();
    assert.deepEqual(await told('domainhotlist', 'hawthorn.com'), []);
    await see('hawthorn.com');
    clock.advanceSeconds(hour);
    await score();
    assert.equal((await told('domainhotlist', 'hawthorn.com')).length, 1);
  });

  await top.test(
    'FEED-41 it comes again when its line has expired and it is still seen, and not before',
    async () => {
      await write(server, { domain: 'ironwood.com' });
      await see('ironwood.com');
      await say(server, 'malware', ['ironwood.com']);
      // Its score becomes full in the same moment in which the line expires.
      await score({ fullAfterSeconds: 0 });
      clock.advanceSeconds(day - 1);
      await see('ironwood.com');
      await score();
      assert.equal((await told('domainhotlist', 'ironwood.com')).length, 1);
      clock.advanceSeconds(1);
      await score();
      assert.equal((await told('domainhotlist', 'ironwood.com')).length, 2);
    },
  );

  await top.test(
    'FEED-41 so much phishing is enough, and one less is not; nor is proximity of 69',
    async () => {
      const isHot = async (domain: string, hotlistThreatMin: number) => {
        await write(server, { domain });
        await see(domain);
        await score({ hotlistThreatMin });
        return (await told('domainhotlist', domain)).length === 1;
      };
      const phishingOf = (domain: string) => usualScorer.names.findScores(domain)?.phishing ?? 0;
      const [one, other] = ['juniper-account-verify.com', 'kestrel-account-verify.com'] as const;
      assert.equal(await isHot(one, phishingOf(one)), true);
      assert.equal(await isHot(other, phishingOf(other) + 1), false);
      await see('copperbell.com');
      await write(server, { domain: 'copperbell.com', website_title: 'Other' });
      await score();
      assert.deepEqual(await told('domainhotlist', 'copperbell.com'), []);
      const { hotlistProximityMin, hotlistThreatMin, hotlistHours } = server.settings.risk;
      assert.deepEqual([hotlistProximityMin, hotlistThreatMin, hotlistHours], [70, 90, 24]);
    },
  );

  await top.test('FEED-41 a domain that is no longer known as bad is looked for no more', async () => {
    await write(server, { domain: 'larkspur.com' });
    await say(server, 'malware', ['larkspur.com'], hour);
    await score();
    clock.advanceSeconds(hour);
    await server.risks.removeExpired(clock.now(), 1000);
    await score();
    await see('larkspur.com');
    clock.advanceSeconds(day);
    await score();
    assert.deepEqual(await told('domainhotlist', 'larkspur.com'), []);
  });
});
