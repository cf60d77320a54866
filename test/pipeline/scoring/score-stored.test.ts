/** A new model, or other settings, score the stored records again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findComponent } from '../../../src/model/risk/domain-risk.ts';
import { RiskScorer } from '../../../src/model/risk/risk-scorer.ts';
import { scoreJobs } from '../../../src/pipeline/scoring/score-jobs.ts';
import { storedScoring } from '../../../src/pipeline/scoring/score-stored.ts';
import { isUpToDate, storedProgress } from '../../../src/pipeline/scoring/stored-progress.ts';
import { readModel } from '../../../src/product/risk/read-model.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import {
  recordDiscovery,
  riskOf,
  scoreAll,
  scoringWorld,
  writeRecord,
} from '../../harness/fixtures/scoring-fixture.ts';

const world = scoringWorld();
const settings = { ...world.settings, risk: { ...world.settings.risk, domainRiskMin: 1 } };
const model = readModel();
const scorerOf = (version: number, wellKnown: readonly string[]) =>
  new RiskScorer(model, { popularRankMax: 0, wellKnown: new Set(wellKnown), version });
/** More than a page of records. */
const all = Array.from({ length: 520 }, (_, index) => `stored-${index}.com`);
/** Those that the two versions judge differently. */
const trusted = all.filter((_, index) => index % 100 === 7);
const [first, second] = [scorerOf(1, trusted), scorerOf(2, [])];
const scoreWith = (scorer: RiskScorer) => scoreAll({ ...world, settings, scorer });
const linesAbout = async (domain: string) =>
  (await linesIn(world.streams, 'feed-domainrisk')).filter((line) => line.includes(`"${domain}"`));

test('a new version scores all stored records again, and publishes each changed score once', async () => {
  await writeRecord(world, ...all.map((domain) => ({ domain })));
  assert.equal((await scoreWith(first)).changed, all.length);
  assert.equal((await scoreWith(first)).scored, 0, 'a restart with the same version scores nothing');
  assert.deepEqual(await linesAbout(trusted[0] as string), []);
  const plain = await linesAbout('stored-0.com');

  const { scored, changed, records, current } = await scoreWith(second);
  assert.deepEqual({ scored, changed }, { scored: all.length, changed: trusted.length });
  assert.deepEqual({ records, current }, { records: all.length, current: all.length });
  for (const domain of trusted) assert.equal((await linesAbout(domain)).length, 1, domain);
  assert.deepEqual(await linesAbout('stored-0.com'), plain, 'an unchanged score is no line');
  assert.equal((await scoreWith(second)).scored, 0);
});

test('a record scored by the current version is not scored again when it is read', async () => {
  await recordDiscovery(world, 'newcomer.com');
  assert.equal((await scoreWith(second)).scored, 1);
  const [record] = await world.domains.findRecords(['newcomer.com']);
  assert.equal(record?.sources?.['domain_risk']?.collector, 'risk 2');
});

test('the earlier version scores again what the later one scored', async () => {
  await scoreWith(first);
  const risk = await riskOf(world, trusted[0] as string);
  assert.equal(risk && findComponent(risk, 'zerolist'), 0);
});

test('while another process has another version, the records are left to it', async () => {
  const { risks, domains } = world;
  await scoreWith(second);
  await risks.setCheckpoints({ 'scoring-version': '3', 'scoring-records': '', 'scoring-records-read': '0' });
  assert.deepEqual(await storedProgress({ domains, risks, scorer: second }), {
    records: await domains.countNames(),
    current: 0,
  });
});

test('while other score jobs are due, a share of the records is compared each time, and no more', async () => {
  const { risks, domains, clock, jobs } = world;
  const third = scorerOf(4, []);
  await jobs.enqueue(scoreJobs(['always-busy.com'], clock.now()));
  const compare = storedScoring({ ...world, scorer: third });
  const progress = async () => (await storedProgress({ domains, risks, scorer: third })).current;
  await compare();
  const once = await progress();
  await compare();
  assert.ok(once > 0 && once < all.length, `${once} of ${all.length}`);
  assert.equal(await progress(), 2 * once);
});

test('a server that has compared all but the newest records is up to date, one that has just begun is not', () => {
  assert.ok(isUpToDate({ records: 5000, current: 4990 }) && isUpToDate({ records: 0, current: 0 }));
  assert.ok(!isUpToDate({ records: 5000, current: 4000 }) && !isUpToDate({ records: 1, current: 0 }));
});
