/** Campaigns in a real browser: the list, the timeline, the graph, the domains, and what is changed about them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { axeViolations } from '../../../harness/browser/axe.ts';
import { appOf } from '../../../harness/browser/start-app.ts';
import { findCampaign } from '../../../harness/fixtures/campaign-fixture.ts';
import { fileScope } from '../../../harness/test-scope.ts';
import { stixFaults } from '../../../product/export/stix-rules.ts';

const openApp = appOf(fileScope());

test('without campaigns the page says how they come about', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const ann = await (await app.account()).person('newcomer');
  const { page, problems } = await app.open(t, ann, '/ui/triage');
  await page.getByRole('heading', { name: 'Triage' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
  await page.getByText('are put together here by themselves').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.deepEqual(problems, []);
});

test('a campaign is renamed, followed, annotated, closed and forgotten', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const ann = await person('follower');
  const { id } = await findCampaign(app.server, { accountId, members: 4, nowMs: app.server.clock.now() });
  const read = async () => (await ann.call(`GET /campaigns/${id}`)).json;
  const { page, problems } = await app.open(t, ann, '/ui/campaigns');
  await page.getByRole('link', { name: 'acme parcels' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name of the campaign' }).fill('Parcel crew <b>');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Parcel crew <b>' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('body').press('f');
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox', { name: 'Note about the campaign' }).fill('moves its servers weekly');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('moves its servers weekly').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  const { name, followed, note, state } = await read();
  assert.deepEqual(
    { name, followed, note, state },
    { name: 'Parcel crew <b>', followed: true, note: 'moves its servers weekly', state: 'closed' },
  );
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
  assert.deepEqual(problems, []);
});

test('the timeline is read with the keyboard, and as a table; the graph has what they share', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const ann = await person('reader');
  const { id, domains } = await findCampaign(app.server, {
    accountId,
    members: 3,
    nowMs: app.server.clock.now(),
  });
  const { page, problems } = await app.open(t, ann, `/ui/campaigns/${id}`);
  const joined = page.getByRole('listitem').filter({ hasText: 'Joined the campaign' });
  await joined.getByRole('button').first().focus();
  const detail = page.locator('.dot-detail');
  await detail.getByRole('link', { name: domains[0] as string }).waitFor();
  await page.keyboard.press('ArrowRight');
  await detail.getByRole('link', { name: domains[1] as string }).waitFor();
  await page.keyboard.press('ArrowDown');
  await detail.getByText('office@acme-crew.example').waitFor();
  assert.equal(await page.locator('[data-dot][tabindex="0"]').count(), 1, 'all dots are one stop of Tab');
  await page.getByText('Show as table').click();
  const row = page.getByRole('row').filter({ hasText: 'Joined the campaign' });
  await row.nth(2).waitFor();
  assert.equal(await row.count(), 3);
  await page.locator('body').press('2');
  await page.getByText('3 domains, 1 shared value').waitFor();
  await page.getByRole('img', { name: 'Graph of domains' }).waitFor();
  assert.deepEqual(problems, []);
});

test('five hundred domains fit on a phone: no scrolling sideways, nothing that is too small to be hit', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const ann = await person('phone');
  const { id } = await findCampaign(app.server, { accountId, members: 500, nowMs: app.server.clock.now() });
  const { page, problems } = await app.open(t, ann, `/ui/campaigns/${id}`, {
    width: 390,
    height: 844,
    dark: true,
  });
  await page.locator('[data-dot]').first().waitFor();
  assert.ok((await page.locator('[data-dot]').count()) < 200);
  for (const tab of ['Timeline', 'Domains']) {
    await page.getByRole('link', { name: tab }).click();
    await page.getByRole('link', { name: tab }).and(page.locator('[aria-current=page]')).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, tab);
    assert.deepEqual(await axeViolations(page), [], tab);
  }
  assert.deepEqual(problems, []);
});

test('a domain is removed and comes back by Undo, another is added, and all of them are one STIX bundle', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const ann = await person('curator');
  const { id, domains } = await findCampaign(app.server, {
    accountId,
    members: 3,
    nowMs: app.server.clock.now(),
  });
  const [first = ''] = domains;
  const { page, problems } = await app.open(t, ann, `/ui/campaigns/${id}?tab=members`);
  const rows = page.getByRole('table').getByRole('row');
  await page.getByRole('button', { name: `Remove ${first.replace('.', '[.]')}` }).click();
  await page.getByText('is removed, and does not come back by itself').waitFor();
  await page.getByRole('row').filter({ hasText: first }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row').filter({ hasText: first }).waitFor();
  assert.equal(await rows.count(), 4);
  await page.getByRole('textbox', { name: 'Domains to add' }).fill('unknown.example');
  await page.getByRole('button', { name: 'Add domains' }).click();
  await page.getByRole('alert').filter({ hasText: 'unknown.example' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'STIX' }).click();
  const bundle = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  assert.deepEqual(stixFaults(bundle), []);
  const values = bundle.objects.filter(({ type }: { type: string }) => type === 'domain-name');
  assert.deepEqual(values.map(({ value }: { value: string }) => value).toSorted(), [...domains].toSorted());
  // The refused addition is what the browser reports.
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('422')),
    [],
  );
});

test('an evidence pack is made of the domains of a campaign', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const ann = await person('lawyer');
  const nowMs = app.server.clock.now();
  const { id, domains } = await findCampaign(app.server, { accountId, members: 3, nowMs });
  const { page, problems } = await app.open(t, ann, `/ui/campaigns/${id}`);
  await page.getByRole('button', { name: 'Evidence pack' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Evidence pack of 3 domains' }).waitFor();
  await dialog.getByRole('button', { name: 'Make the pack' }).click();
  await page.getByRole('button', { name: 'Open the case' }).click();
  for (const domain of domains) await page.getByText(domain).first().waitFor();
  assert.deepEqual(problems, []);
});

test('the page of a domain and its card name its campaign, and a selection of Triage becomes one', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const ann = await person('maker');
  const { domains } = await findCampaign(app.server, {
    accountId,
    members: 3,
    nowMs: app.server.clock.now(),
  });
  const { page, problems } = await app.open(t, ann, `/ui/domain/${domains[0]}`);
  await page.getByText('Member of the campaign').waitFor();
  await page.getByRole('link', { name: 'acme parcels' }).click();
  await page.getByRole('heading', { name: 'acme parcels' }).waitFor();
  await page.goto(`${app.url}/ui/triage?card=1`);
  await page.getByRole('complementary').getByRole('link', { name: 'acme parcels' }).waitFor();
  await page.locator('body').press('*');
  await page.locator('body').press('Shift+S');
  const dialog = page.getByRole('dialog', { name: 'New campaign' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('By hand');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The campaign By hand is made.').waitFor();
  const { campaigns } = (await ann.call('GET /campaigns?search=hand')).json;
  assert.deepEqual(
    campaigns.map(({ name, member_count: members }: { name: string; member_count: number }) => [
      name,
      members,
    ]),
    [['By hand', 3]],
  );
  assert.deepEqual(problems, []);
});

test('who may only read sees campaigns and changes nothing', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const { accountId, person } = await app.account();
  const viewer = await person('viewer', ['read']);
  const { id } = await findCampaign(app.server, { accountId, members: 3, nowMs: app.server.clock.now() });
  const { page, problems } = await app.open(t, viewer, `/ui/campaigns/${id}`);
  for (const name of ['Rename', 'Follow', 'Close', 'Forget', 'Add a note'])
    assert.equal(await page.getByRole('button', { name }).isDisabled(), true, name);
  assert.equal(await page.getByRole('button', { name: 'STIX' }).isEnabled(), true);
  assert.deepEqual(problems, []);
});
