/** What somebody who may only read can press, on every page: nothing that the server would refuse. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Desk, desks } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

const pages = [
  '/ui/triage',
  '/ui/triage?view=wall',
  '/ui/domain/cloudpantry-0.example',
  '/ui/decisions',
  '/ui/monitors',
  '/ui/search?tld=example',
  '/ui/investigations',
  '/ui/tags',
  '/ui/blocklists',
  '/ui/feeds',
  '/ui/feeds/nod',
  '/ui/pdns?name=cloudpantry-0.example',
  '/ui/evidence',
  '/ui/report',
  '/ui/account/keys',
  '/ui/account/quota',
  '/ui/ns/ns1.example',
];

/** Ends the session, leaves the app, or opens a dialog of the browser's own. */
const elsewhere = /sign out|print/i;

const buttonsIn = (page: Page) => page.locator('main button:enabled:visible');

/** What colleagues have made, so that the pages have something to press. */
async function fill({ ann }: Desk): Promise<void> {
  const { json } = await ann.call('GET /detect/domains?list=new');
  const answers = [
    await ann.call('POST /detect/decisions', { body: { ids: [json.domains[2].id], to: 'watched' } }),
    await ann.call('POST /domain-tags', {
      body: { domains: ['cloudpantry-0.example'], add: [{ label: 'kit', scope: 'team' }] },
    }),
    await ann.call('POST /investigations', { body: { name: 'Shared', sharing: 'view' } }),
  ];
  assert.deepEqual(
    answers.map(({ status, text }) => (status < 300 ? 'made' : text)),
    ['made', 'made', 'made'],
  );
}

describe('a viewer', { concurrency: 1 }, () => {
  let pressedInAll = 0;
  for (const path of pages)
    test(`nothing that can be pressed on ${path} is refused for want of a permission`, async (t) => {
      const desk = await openDesk(t, 3);
      if (!desk) return;
      await fill(desk);
      const viewer = await desk.colleague(['read']);
      const { page } = await desk.app.open(t, viewer, path);
      const settled = async () => {
        await page.waitForLoadState('load');
        await page.locator('main h1, main h2').first().waitFor();
        await page.waitForTimeout(300);
      };
      await settled();
      const refused: string[] = [];
      let pressed = 'the page itself';
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${pressed}: ${response.url()}`);
      });
      const count = await buttonsIn(page).count();
      for (let index = 0; index < count; index += 1) {
        const button = buttonsIn(page).nth(index);
        if ((await button.count()) === 0) break;
        pressed = (await button.innerText()) || ((await button.getAttribute('aria-label')) ?? 'a button');
        if (elsewhere.test(pressed)) continue;
        pressedInAll += 1;
        await button.click({ timeout: 3000 }).catch(() => undefined);
        const send = page.locator('dialog[open] :is(.primary, .danger):enabled').first();
        if ((await send.count()) > 0) await send.click({ timeout: 2000 }).catch(() => undefined);
        await page.waitForTimeout(150);
        await page.goto(new URL(path, page.url()).href);
        await settled();
      }
      assert.deepEqual(refused, []);
    });

  test('there was much to press', async (t) => {
    if (await openDesk(t, 0)) assert.ok(pressedInAll > 30, String(pressedInAll));
  });
});
