/** What is learned from decisions, in a real browser: a suggestion is tested, accepted and taken back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appOf } from '../../harness/browser/start-app.ts';
import { discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());
type App = NonNullable<Awaited<ReturnType<typeof openApp>>>;

/** A person whose monitor found 16 names with one word on parked name servers, all of them ignored: two suggestions. */
async function withSuggestions(app: App, name: string) {
  const ann = await (await app.account()).person(name);
  const names = discoveryFixture(app.server);
  await ann.call('POST /monitors', { body: { term: 'willowbrook' } });
  await names.searchKnown();
  const found = Array.from({ length: 16 }, (_, at) => `willowbrook-fanclub-${at}.com`);
  for (const domain of found)
    await names.write({
      domain,
      name_server: [{ host: 'ns1.parking.example' }, { host: 'ns2.parking.example' }],
    });
  await names.append(found);
  await names.discover();
  const { domains } = (await ann.call('GET /detect/domains?list=new')).json;
  const ids = domains.map(({ id }: { id: string }) => id);
  await ann.call('POST /detect/decisions', { body: { ids, to: 'ignored' } });
  return ann;
}

test('a suggestion shows what it would have meant, changes its monitor when accepted, and is taken back', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const ann = await withSuggestions(app, 'learner');
  const { page, problems } = await app.open(t, ann, '/ui/monitors');
  await page.getByText('Of 16 decided domains, 0 were worth attention and 16 were ignored.').waitFor();
  const line = page.getByRole('listitem').filter({ hasText: 'leave out names with fanclub' });
  await line.getByText('16 of 16 were ignored').waitFor();
  await line.getByText('What it would have meant').first().click();
  await line.getByText('16 names would not have been found (16 ignored)').waitFor();
  await line.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('Accepted: the monitor is changed').waitFor();
  const exclusions = async () => (await ann.call('GET /monitors')).json.monitors[0].text_exclusions;
  assert.deepEqual(await exclusions(), ['fanclub']);
  await page.getByText('Earlier answers').click();
  await page.getByRole('listitem').filter({ hasText: 'accepted by' }).getByRole('button').click();
  await page.getByText('taken back by').waitFor();
  assert.deepEqual(await exclusions(), []);
  assert.deepEqual(problems, []);
});

test('suggestions are accepted, dismissed and taken back by keyboard, and the focus stays where the work is', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const ann = await withSuggestions(app, 'typist');
  const { page, problems } = await app.open(t, ann, '/ui/monitors');
  const focused = () =>
    page.evaluate<string>(
      '`${document.activeElement?.tagName} ${document.activeElement?.textContent?.trim()}`',
    );
  const tabTo = async (wanted: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()) === wanted) return;
    }
    assert.fail(`no Tab leads to ${wanted}`);
  };
  const untilFocused = async (wanted: string) => {
    for (let tries = 0; tries < 100 && (await focused()) !== wanted; tries += 1)
      await page.waitForTimeout(50);
    assert.equal(await focused(), wanted);
  };
  const open = page.locator('.learning > .suggestions > li');
  const untilOpen = async (count: number) => {
    for (let tries = 0; tries < 100 && (await open.count()) !== count; tries += 1)
      await page.waitForTimeout(50);
    assert.equal(await open.count(), count);
  };
  await page.getByText('leave out names with fanclub').waitFor();
  await untilOpen(2);
  await tabTo('BUTTON Dismiss');
  await page.keyboard.press('Space');
  await untilOpen(1);
  await untilFocused('BUTTON Dismiss');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(), 'BUTTON Accept');
  await page.keyboard.press('Enter');
  await untilFocused('H2 What your decisions say');
  await untilOpen(0);
  await tabTo('SUMMARY Earlier answers');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'BUTTON Take back');
  await page.keyboard.press('Enter');
  await untilFocused('BUTTON Take back');
  await page.getByText('taken back by').waitFor();
  await page.keyboard.press('Enter');
  await untilFocused('SUMMARY Earlier answers');
  await untilOpen(2);
  assert.deepEqual(problems, []);
});
