/** One line on the feed of risky domains for each change of a domain's scores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { riskSource } from '../../../src/model/risk/domain-risk.ts';
import { type PublishScoresNeeds, publishScores } from '../../../src/pipeline/scoring/publish-scores.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { scoringWorld } from '../../harness/fixtures/scoring-fixture.ts';

const world = scoringWorld();
const { clock, domains } = world;

async function score(domain: string, proximity: number, evidence: readonly string[] = []): Promise<void> {
  clock.advanceSeconds(1);
  const components = [{ name: 'proximity', risk_score: proximity, evidence: [...evidence] }];
  const record = { domain, domain_risk: { risk_score: proximity, components } };
  await domains.upsert([{ record, members: ['domain_risk'], source: riskSource, seenMs: clock.now() }]);
}

const publish = (needs: Partial<PublishScoresNeeds['domains']> = {}) =>
  publishScores({
    ...world,
    domains: {
      listUpdates: (after, limit) => domains.listUpdates(after, limit),
      listChanges: (domain, page) => domains.listChanges(domain, page),
      findRecords: (names) => domains.findRecords(names),
      ...needs,
    },
  });

/** The scores in the lines about a domain, oldest first. */
async function publishedScores(domain: string): Promise<readonly number[]> {
  const lines = await linesIn(world.streams, 'feed-domainrisk');
  return lines
    .map((line) => JSON.parse(line))
    .flatMap((line) => (line.domain === domain ? [line.proximity_risk] : []));
}

test('several changes between two polls are one line with the last score', async () => {
  await score('one-line.com', 71);
  await score('one-line.com', 60);
  await score('one-line.com', 80);
  await publish();
  assert.deepEqual(await publishedScores('one-line.com'), [80]);
});

test('a change that leaves the scores as they were is no line', async () => {
  await score('new-evidence.com', 90);
  await publish();
  await score('new-evidence.com', 90, ['another reason']);
  await publish();
  assert.deepEqual(await publishedScores('new-evidence.com'), [90]);
});

test('a score that comes back is another line', async () => {
  for (const proximity of [75, 20, 75]) {
    await score('comes-back.com', proximity);
    await publish();
  }
  assert.deepEqual(await publishedScores('comes-back.com'), [75, 75]);
});

test('a score that changes between the reading of the log and of the record is one line', async () => {
  for (const earlier of [[], [50], [71]]) {
    const domain = `changes-meanwhile-${earlier.length}-${earlier[0] ?? 'new'}.com`;
    for (const proximity of earlier) await score(domain, proximity);
    await publish();
    await score(domain, 65);
    let isLater = false;
    await publish({
      async findRecords(names) {
        if (!isLater) await score(domain, 72);
        isLater = true;
        return domains.findRecords(names);
      },
    });
    const published = earlier.filter((proximity) => proximity >= 70);
    assert.deepEqual(await publishedScores(domain), [...published, 72]);
  }
});
