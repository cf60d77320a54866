/** Scores of what monitors find, from the first moment to the full score, as clients of Detect see them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessUnscored } from '../../src/collect/scoring/assess-unscored.ts';
import { discovering } from '../harness/discovering.ts';
import { discover, say, scoreAll, usualScorer, write } from '../harness/scoring.ts';
import { type Detected, type Json, worlds } from './detected.ts';

const day = 86_400;

test('scores in Detect', async (top) => {
  const begin = await worlds(top);

  /** A monitor has found a domain, and nobody has scored its record yet. */
  const found = async (term: string, isKnown?: (world: Detected, domain: string) => Promise<void>) => {
    const world = await begin();
    const { server } = world;
    const domain = `${term}-login.com`;
    const scored = { ...server, scorer: usualScorer };
    const assess = (domains: readonly string[]) => assessUnscored(domains, scored);
    const behind = discovering({ ...server, assess });
    await world.monitor(term);
    await isKnown?.(world, domain);
    await discover(server, domain);
    await behind.discover();
    const look = (): Promise<Json> => world.item('new', domain);
    /** Later everything has been done that was to be done by then. */
    const later = async (seconds: number): Promise<Json> => {
      server.clock.advanceSeconds(seconds);
      await scoreAll(scored);
      await behind.follow();
      return look();
    };
    return { world, domain, look, later };
  };

  await top.test(
    'RISK-01 RISK-02 RISK-03 a domain that was just discovered has a whole score, which is provisional and knows of phishing alone',
    async () => {
      const { look, later } = await found('vaultbank');
      const first = await look();
      assert.ok(Number.isInteger(first.risk_score) && first.risk_score >= 0 && first.risk_score <= 100);
      assert.equal(first.risk_score_status, 'provisional');
      assert.deepEqual(Object.keys(first.risk_score_components.threat_profile), ['phishing']);
      const { risk_score, risk_score_components } = await later(0);
      assert.deepEqual(
        { risk_score, risk_score_components },
        { risk_score: first.risk_score, risk_score_components: first.risk_score_components },
      );
    },
  );

  await top.test(
    'RISK-04 the score is full no earlier than 24 and no later than 36 hours after',
    async () => {
      const { later } = await found('meridian');
      assert.equal((await later(0)).risk_score_status, 'provisional');
      assert.equal((await later(day - 1)).risk_score_status, 'provisional');
      assert.equal((await later(1)).risk_score_status, 'full');
    },
  );

  await top.test('RISK-05 RISK-06 a full score adds malware and spam, whole numbers both', async () => {
    const { world, domain, later } = await found('quartzpay');
    await later(0);
    await write(world.server, { domain, registrar: 'Registrar One', name_server: [{ host: 'ns.one.net' }] });
    const { risk_score_status, risk_score_components } = await later(day);
    assert.equal(risk_score_status, 'full');
    const { malware, spam } = risk_score_components.threat_profile;
    assert.ok(Number.isInteger(malware) && Number.isInteger(spam));
  });

  await top.test(
    'RISK-01 a known bad one has 100 from the first moment, and a known good one 0',
    async () => {
      const bad = await found('northwind', ({ server }, domain) => say(server, 'phishing', [domain]));
      assert.equal((await bad.look()).risk_score, 100);
      const good = await found('blueriver', ({ server }, domain) => say(server, 'good', [domain]));
      const { risk_score, risk_score_status } = await good.look();
      assert.deepEqual([risk_score, risk_score_status], [0, 'full']);
    },
  );
});
