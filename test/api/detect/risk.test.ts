/** Risk scores of discovered domains, from provisional to full, as Detect clients see them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assessUnscored } from '../../../src/pipeline/scoring/assess-unscored.ts';
import { discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import {
  addToList,
  recordDiscovery,
  scoreAll,
  usualScorer,
  writeRecord,
} from '../../harness/fixtures/scoring-fixture.ts';
import { type DetectFixture, freshAccounts, type Json } from './detect-fixture.ts';

const day = 86_400;

const fresh = await freshAccounts({ after });

/** A monitor has found a domain whose record has not been scored yet. */
const found = async (term: string, isKnown?: (world: DetectFixture, domain: string) => Promise<void>) => {
  const world = await fresh();
  const { server } = world;
  const domain = `${term}-login.com`;
  const scored = { ...server, scorer: usualScorer };
  const assess = (domains: readonly string[]) => assessUnscored(domains, scored);
  const pipeline = discoveryFixture({ ...server, assess });
  await world.monitor(term);
  await isKnown?.(world, domain);
  await recordDiscovery(server, domain);
  await pipeline.discover();
  const item = (): Promise<Json> => world.item('new', domain);
  /** Advances the clock and runs everything that is due by then. */
  const later = async (seconds: number): Promise<Json> => {
    server.clock.advanceSeconds(seconds);
    await scoreAll(scored);
    await pipeline.follow();
    return item();
  };
  return { world, domain, item, later };
};

test('RISK-01 RISK-02 RISK-03 a newly discovered domain has an integer score that is provisional and covers phishing only', async () => {
  const { item, later } = await found('vaultbank');
  const first = await item();
  assert.ok(Number.isInteger(first.risk_score) && first.risk_score >= 0 && first.risk_score <= 100);
  assert.equal(first.risk_score_status, 'provisional');
  assert.deepEqual(Object.keys(first.risk_score_components.threat_profile), ['phishing']);
  const { risk_score, risk_score_components } = await later(0);
  assert.deepEqual(
    { risk_score, risk_score_components },
    { risk_score: first.risk_score, risk_score_components: first.risk_score_components },
  );
});

test('RISK-04 the score becomes full no earlier than 24 and no later than 36 hours after discovery', async () => {
  const { later } = await found('meridian');
  assert.equal((await later(0)).risk_score_status, 'provisional');
  assert.equal((await later(day - 1)).risk_score_status, 'provisional');
  assert.equal((await later(1)).risk_score_status, 'full');
});

test('RISK-05 RISK-06 a full score adds malware and spam, both integers', async () => {
  const { world, domain, later } = await found('quartzpay');
  await later(0);
  await writeRecord(world.server, {
    domain,
    registrar: 'Registrar One',
    name_server: [{ host: 'ns.one.net' }],
  });
  const { risk_score_status, risk_score_components } = await later(day);
  assert.equal(risk_score_status, 'full');
  const { malware, spam } = risk_score_components.threat_profile;
  assert.ok(Number.isInteger(malware) && Number.isInteger(spam));
});

test('RISK-01 a domain listed as bad scores 100 immediately, and one listed as good 0', async () => {
  const bad = await found('northwind', ({ server }, domain) => addToList(server, 'phishing', [domain]));
  assert.equal((await bad.item()).risk_score, 100);
  const good = await found('blueriver', ({ server }, domain) => addToList(server, 'good', [domain]));
  const { risk_score, risk_score_status } = await good.item();
  assert.deepEqual([risk_score, risk_score_status], [0, 'full']);
});
