/** Tags in a real browser: given by keyboard, listed, changed, merged and deleted, and seen by nobody else where they are private. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());
const names = ['one.example', 'two.example', 'three.example'] as const;

async function fill({ server }: WebApp): Promise<void> {
  await server.domains.upsert(
    names.map((domain, index) => ({
      record: { domain, registrar: 'same', domain_risk: { risk_score: 90 - index * 20, components: [] } },
      source: 'test',
      seenMs: server.clock.now(),
    })),
  );
}

describe('tags', { concurrency: 1 }, () => {
  test('a domain is tagged by keyboard alone, and its tag leads to the search', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    await fill(app);
    const ann = await (await app.account()).person('tagger');
    const { page, problems } = await app.open(t, ann, '/ui/domain/one.example');
    await page.getByRole('button', { name: 'Edit tags' }).waitFor();
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tags of domains' });
    await dialog.getByLabel('Find or make a tag').waitFor();
    await page.keyboard.type('kit 7');
    await page.keyboard.press('Enter');
    await dialog.getByRole('checkbox', { name: 'kit 7' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Tags changed').waitFor();
    const chip = page.locator('.tag-chip', { hasText: 'kit 7' });
    await chip.waitFor();
    await page.keyboard.press('t');
    assert.equal(await dialog.getByRole('checkbox', { name: 'kit 7' }).isChecked(), true);
    assert.deepEqual(await axeViolations(page), []);
    await page.keyboard.type('KIT');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    assert.equal(await dialog.getByRole('checkbox', { name: 'kit 7' }).isChecked(), true);
    await page.keyboard.press('Escape');
    await chip.click();
    await page.waitForURL(/\/ui\/search\?tagged_with_any=kit\+7/);
    assert.deepEqual(problems, []);
  });

  test('a tag is renamed, coloured, merged and deleted in the list, and the address keeps what is open', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    await fill(app);
    const ann = await (await app.account()).person('tag-editor');
    const give = (label: string, domains: readonly string[]) =>
      ann.call('POST /domain-tags', { body: { domains, add: [{ label, scope: 'team' }] } });
    await give('from', ['one.example', 'two.example']);
    await give('into', ['two.example', 'three.example']);
    const { page, problems } = await app.open(t, ann, '/ui/tags');
    await page.getByRole('button', { name: 'Edit the tag from' }).click();
    await page.waitForURL(/edit=\d+/);
    await page.reload();
    const dialog = page.getByRole('dialog', { name: 'Edit' });
    await dialog.getByLabel('Violet').check({ force: true });
    await dialog.getByLabel('Label').fill('source');
    assert.deepEqual(await axeViolations(page), []);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The tag was changed').waitFor();
    await page.locator('tr', { hasText: 'source' }).locator('.tag-dot.violet').waitFor();
    await page.getByRole('button', { name: 'Edit the tag source' }).click();
    await dialog.getByLabel('Label').fill('INTO');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    const merging = page.getByRole('dialog', { name: 'Merge' });
    await merging.getByText('source is on 2 domains, into on 2').waitFor();
    await merging.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merged 2 domains: the tag is on 3 now').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    await page.getByRole('link', { name: 'into' }).click();
    await page.waitForURL(/\/ui\/tags\/into/);
    await page.getByRole('link', { name: 'three.example' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete the tag into' }).click();
    const deleting = page.getByRole('dialog', { name: 'Delete' });
    await deleting.getByText('It disappears from 3 domains').waitFor();
    await deleting.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'There are no tags yet' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('a colleague sees tags of the team and no private ones, and a viewer can change none', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    await fill(app);
    const { person } = await app.account();
    const ann = await person('tag-owner');
    const add = [
      { label: 'shared', scope: 'team' },
      { label: 'private', scope: 'own' },
    ];
    await ann.call('POST /domain-tags', { body: { domains: ['one.example'], add } });
    const bob = await person('tag-viewer', ['read']);
    const { page, problems } = await app.open(t, bob, '/ui/tags');
    assert.equal(await page.getByRole('button', { name: 'Edit the tag shared' }).isDisabled(), true);
    assert.equal(await page.getByText('private').count(), 0);
    await page.goto(`${app.url}/ui/tags/private`);
    await page.getByRole('heading', { name: 'You have no tag of this label' }).waitFor();
    await page.goto(`${app.url}/ui/domain/one.example`);
    await page.locator('.tag-chip', { hasText: 'shared' }).waitFor();
    assert.equal(await page.locator('.tag-chip').count(), 1);
    assert.deepEqual(problems, []);
  });

  for (const { width, dark } of [
    { width: 1280, dark: false },
    { width: 390, dark: true },
  ]) {
    test(`the list and the page of a tag are accessible and fit at ${width} pixels`, async (t) => {
      const app = await openApp(t);
      if (!app) return;
      await fill(app);
      const ann = await (await app.account()).person(`tag-axe-${width}`);
      for (const [label, scope] of [
        ['phishing kit 7', 'team'],
        ['case 2026-11', 'own'],
        ['a-very-long-label-without-any-blank-in-it-that-must-wrap-somewhere', 'team'],
      ])
        await ann.call('POST /domain-tags', {
          body: { domains: names, add: [{ label: label?.slice(0, 64), scope }] },
        });
      const list = (await ann.call('GET /tags')).json.tags;
      for (const [index, { id }] of list.entries())
        await ann.call(`PATCH /tags/${id}`, {
          body: { colour: ['red', 'blue', 'yellow'][index], expires_at: '2099-12-31T18:00:00Z' },
        });
      const { page, problems } = await app.open(t, ann, '/ui/tags', { width, dark });
      for (const path of ['/ui/tags', '/ui/tags/phishing%20kit%207', `/ui/tags?edit=${list[0].id}`]) {
        await page.goto(app.url + path);
        await page.locator('.tag-label').first().waitFor();
        await page.getByText('Loading').waitFor({ state: 'detached' });
        assert.deepEqual(await axeViolations(page), [], path);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide`);
      }
      assert.deepEqual(problems, []);
    });
  }
});
