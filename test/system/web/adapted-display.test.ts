/** The pages as people have them who need other colours, larger letters or no motion, and on a phone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { desks, showsCount } from '../../harness/browser/triage-desk.ts';
import type { OpenOptions } from '../../harness/browser/web-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

const displays: readonly (readonly [how: string, options: OpenOptions])[] = [
  ['in forced colours', { dark: true, adapted: { forcedColors: 'active' } }],
  ['with more contrast, and motion', { adapted: { contrast: 'more', reducedMotion: 'no-preference' } }],
  // A window of 1280 px at 200 %.
  [
    'at 200 %, without motion',
    { width: 640, height: 400, adapted: { deviceScaleFactor: 2, reducedMotion: 'reduce' } },
  ],
];

/** Addresses with what is there when the page is. */
const pagesOf = (name: string): readonly (readonly [path: string, ready: string])[] => [
  ['/ui/triage?card=1', '.card .reasons, .card .pale'],
  ['/ui/triage?view=wall', '.tile'],
  [`/ui/domain/${name}`, '.facts'],
  ['/ui/monitors', '.monitor-table'],
  ['/ui/alerts', '.empty'],
  ['/ui/blocklists', '.list-panel'],
  ['/ui/me', '.me-page .panel'],
];

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('adapted displays', { concurrency: 1 }, () => {
  for (const [how, options] of displays) {
    test(`the pages have no accessibility violation and nothing beside the screen ${how}`, async (t) => {
      const desk = await openDesk(t, 4, { inCluster: 2 });
      if (!desk) return;
      const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage', options);
      await showsCount(page, '4');
      for (const [path, ready] of pagesOf(desk.names[0] ?? '')) {
        await page.goto(desk.app.url + path);
        await page.locator(ready).first().waitFor();
        // What moves is over.
        await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
        assert.deepEqual(await axeViolations(page), [], path);
        assert.equal(await overflow(page), 0, path);
      }
      assert.deepEqual(problems, []);
    });
  }

  test('in forced colours the current row, the selected one and the current page are still seen', async (t) => {
    const desk = await openDesk(t, 3);
    if (!desk) return;
    const { page } = await desk.app.open(t, desk.ann, '/ui/triage', { adapted: { forcedColors: 'active' } });
    await showsCount(page, '3');
    await page.keyboard.press('x');
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    assert.equal(await styleOf('.row.at', 'outlineStyle'), 'solid');
    assert.equal(await styleOf('.rail .page[aria-current]', 'outlineStyle'), 'solid');
    assert.notEqual(
      await styleOf('.row.picked .box', 'backgroundColor'),
      await styleOf('.row .box:not(.picked *)', 'color'),
    );
    assert.notEqual(await styleOf('.risk', 'backgroundImage'), 'none');
  });

  test('a phone has four pages in its bar, and the others behind More', async (t) => {
    const desk = await openDesk(t, 2);
    if (!desk) return;
    const reader = await desk.colleague(['read']);
    const { page, problems } = await desk.app.open(t, reader, '/ui/triage', { width: 390, height: 844 });
    await showsCount(page, '2');
    const bar = page.getByRole('navigation', { name: 'Pages' });
    assert.deepEqual(await bar.getByRole('link').allInnerTexts(), [
      'Triage\n2',
      'Monitors',
      'Search',
      'Investigations',
    ]);
    await bar.getByRole('button', { name: 'More' }).click();
    const more = page.getByRole('dialog', { name: 'More pages' });
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(
      (await more.getByRole('link').allInnerTexts()).map((text) => text.trim()),
      ['Campaigns', 'Blocklists', 'Evidence', 'Report', 'Tags', 'Passive DNS', 'Feeds', 'Keys and quota'],
    );
    await more.getByRole('link', { name: 'Blocklists' }).click();
    await page.waitForURL('**/ui/blocklists');
    assert.equal(await more.count(), 0);
    await bar.getByRole('button', { name: 'More' }).click();
    await more.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    assert.equal(await overflow(page), 0);
    assert.deepEqual(problems, []);
  });
});
