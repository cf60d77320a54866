/** Lookalikes that our own sensors saw resolved, in Triage and on the page of a domain. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { axeViolations } from '../../harness/browser/axe.ts';
import { type Desk, desks, showsCount } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const desk = desks(fileScope());
let isSeen = false;

/** The first of the lookalikes was seen by two sensors, and before it was found. All accounts have the same lookalikes, and share the sensors. */
async function seenDesk(t: TestContext): Promise<Desk | undefined> {
  const opened = await desk(t, 8);
  if (!opened || isSeen) return opened;
  isSeen = true;
  const { sightings, clock } = opened.app.server;
  const [domain = ''] = opened.names;
  const nowSeconds = Math.floor(clock.now() / 1000);
  const past = { firstSeconds: nowSeconds - 864_000, lastSeconds: nowSeconds - 432_000, count: 12 };
  const pending = opened.names.map((name) => ({ domain: name, past: name === domain ? past : undefined }));
  assert.ok(await sightings.addPast(pending, await sightings.countedBatch()));
  for (const [index, sensor] of (['dnstap', 'zeek'] as const).entries()) {
    const from = await sightings.countedBatch();
    const seconds = nowSeconds - 7200 + index * 3600;
    const seen = [{ domain, firstSeconds: seconds, lastSeconds: seconds, count: 3 + index }];
    assert.ok(await sightings.addSightings({ sensor, sightings: seen, from, to: from + 1 }, clock.now()));
  }
  return opened;
}

for (const [width, dark] of [
  [1280, false],
  [390, true],
] as const)
  test(`rows, the filter and the card say what our sensors saw, ${width} pixels wide`, async (t) => {
    const opened = await seenDesk(t);
    if (!opened) return;
    const { app, ann } = opened;
    const { page, problems } = await app.open(t, ann, '/ui/triage', { width, dark });
    await showsCount(page, '8');
    assert.equal(await page.getByRole('img', { name: 'Resolved by us: 19 answers' }).count(), 1);
    await page.goto(`${app.url}/ui/triage?facets=1`);
    await page.getByLabel('Not resolved by us').check();
    await showsCount(page, '7');
    await page.getByLabel('Resolved by us', { exact: true }).check();
    await showsCount(page, '1');
    await page.goto(`${app.url}/ui/triage?resolved=yes`);
    await showsCount(page, '1');
    await page.locator('.row').click();
    const card = page.locator('.card');
    await card.getByText('Somebody inside resolved it: 19 answers').waitFor();
    assert.deepEqual(await card.locator('.values .chip').allInnerTexts(), [
      'dnstap',
      'before it was found',
      'Zeek',
    ]);
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });

test('the page of a domain says what our sensors saw', async (t) => {
  const opened = await seenDesk(t);
  if (!opened) return;
  const { app, ann, names } = opened;
  const { page, problems } = await app.open(t, ann, `/ui/domain/${names[0]}`);
  await page.getByText('Somebody inside resolved it: 19 answers').waitFor();
  await page.goto(`${app.url}/ui/domain/${names[1]}`);
  await page.getByText('Our own sensors have not seen it resolved.').waitFor();
  assert.deepEqual(problems, []);
});
