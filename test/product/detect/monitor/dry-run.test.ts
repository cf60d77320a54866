import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MonitorSettings } from '../../../../src/model/detect/watchlist.ts';
import { dryRun } from '../../../../src/product/detect/monitor/dry-run.ts';
import { Previews } from '../../../../src/product/detect/preview.ts';
import { discoveryFixture } from '../../../harness/fixtures/discovery-fixture.ts';
import { testServer } from '../../../harness/server/test-server.ts';

const server = await testServer({ after });
const pipeline = discoveryFixture(server);
const { account } = (await server.user()).caller;

async function run(settings: Partial<MonitorSettings>, markExcluded = true) {
  const whole = {
    term: 'cedarbank',
    matchSubstringVariations: false,
    nameserverExclusions: [],
    textExclusions: [],
  };
  const needs = { ...server, nameSearch: pipeline.search };
  const preview = await dryRun(account, { ...whole, ...settings }, { limit: 50, markExcluded }, needs);
  return {
    ...preview,
    lines: preview.domains.map(({ domain, excludedBy }) => [domain, excludedBy?.exclusion ?? '']),
  };
}

test('a domain is excluded only if all its names that match are, on whichever day they were seen', async () => {
  await pipeline.append(['shop.cedarbank-one.com', 'cedarbank-two.com']);
  await pipeline.discover();
  server.clock.advanceSeconds(86_400);
  await pipeline.append(['login.cedarbank-one.com', 'shop.cedarbank-three.com']);
  await pipeline.discover();
  const { lines, total, excluded, found } = await run({ textExclusions: ['shop'] });
  assert.deepEqual(lines, [
    ['cedarbank-three.com', 'shop'],
    ['cedarbank-one.com', ''],
    ['cedarbank-two.com', ''],
  ]);
  assert.deepEqual([total, excluded, [...found].sort()], [2, 1, ['cedarbank-one.com', 'cedarbank-two.com']]);
});

test('without marks excluded domains are left out, and the numbers are the same', async () => {
  const marked = await run({ textExclusions: ['two'] });
  const unmarked = await run({ textExclusions: ['two'] }, false);
  assert.deepEqual(
    unmarked.lines,
    marked.lines.filter(([, exclusion]) => exclusion === ''),
  );
  assert.deepEqual([unmarked.total, unmarked.classes], [marked.total, marked.classes]);
  assert.deepEqual([marked.excluded, unmarked.excluded], [1, 0]);
});

test('four dry runs may be under way at once, whichever operations asked for them', async () => {
  const needs = { ...server, nameSearch: pipeline.search };
  const [ours, theirs] = [new Previews(needs), new Previews(needs)];
  const settings = {
    term: 'cedarbank',
    matchSubstringVariations: false,
    nameserverExclusions: [],
    textExclusions: [],
  };
  const four = Array.from({ length: 4 }, () => ours.preview(account, settings, { limit: 1 }));
  await assert.rejects(theirs.preview(account, settings, { limit: 1 }), /Too many dry runs/);
  await Promise.all(four);
  assert.equal((await theirs.preview(account, settings, { limit: 1 })).isComplete, true);
});
