/** What Triage shows when there is nothing, when the server is slow or refuses, and when somebody may not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { desks, showsCount } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());
const list = '**/ui/api/detect/domains?*';

const refusing =
  (status: number, code: string, message: string, headers = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers,
      contentType: 'application/json',
      body: JSON.stringify({ error: { code, message }, request_id: 'request-1' }),
    });

const answering = (answer: (route: Route) => unknown) => async (page: Page) => {
  await page.route(list, answer);
};

async function hasNoViolation(page: Page): Promise<void> {
  assert.deepEqual(await axeViolations(page), []);
}

describe('states of Triage', { concurrency: 1 }, () => {
  for (const [width, dark] of [
    [1280, false],
    [390, true],
  ] as const) {
    test(`a failure has the server’s sentence and the request, and can be tried again, at ${width} px`, async (t) => {
      const desk = await openDesk(t, 3);
      if (!desk) return;
      const prepare = answering(refusing(500, 'internal', 'An unexpected error occurred.'));
      const { page } = await desk.app.open(t, desk.ann, '/ui/triage', { width, dark, prepare });
      const alert = page.getByRole('alert');
      await alert.getByText('An unexpected error occurred.').waitFor();
      await alert.getByText('request-1').waitFor();
      await hasNoViolation(page);
      await page.unroute(list);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await showsCount(page, '3');
    });

    test(`too many requests say when it is possible again, at ${width} px`, async (t) => {
      const desk = await openDesk(t, 1);
      if (!desk) return;
      const prepare = answering(refusing(429, 'limit-exceeded', 'Too many pages.', { 'retry-after': '17' }));
      const { page } = await desk.app.open(t, desk.ann, '/ui/triage', { width, dark, prepare });
      await page.getByText('Possible again in 17 s.').waitFor();
      await hasNoViolation(page);
    });

    test(`what is slow is outlined in its height, at ${width} px`, async (t) => {
      const desk = await openDesk(t, 1);
      if (!desk) return;
      const prepare = answering(() => undefined);
      const { page } = await desk.app.open(t, desk.ann, '/ui/triage', { width, dark, prepare });
      await page.getByRole('status', { name: 'Loading the list' }).locator('.skeleton').first().waitFor();
      await hasNoViolation(page);
    });

    test(`an empty list says why, and a filter that matches nothing can be cleared, at ${width} px`, async (t) => {
      const desk = await openDesk(t, 2);
      if (!desk) return;
      const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage?q=nothing-has-this', {
        width,
        dark,
      });
      await page.getByRole('heading', { name: 'No domain matches the filter' }).waitFor();
      await hasNoViolation(page);
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await showsCount(page, '2');
      assert.deepEqual(problems, []);
    });

    test(`who may not decide sees the actions, disabled and with the permission they need, at ${width} px`, async (t) => {
      const desk = await openDesk(t, 2);
      if (!desk) return;
      const viewer = await desk.colleague(['read']);
      const { page, problems } = await desk.app.open(t, viewer, '/ui/triage', { width, dark });
      await showsCount(page, '2');
      const watch = page.getByRole('button', { name: 'Watch' });
      assert.equal(await watch.isDisabled(), true);
      assert.match((await watch.getAttribute('title')) ?? '', /permission triage/);
      await page.keyboard.press('w');
      await hasNoViolation(page);
      assert.equal((await desk.lists()).new, 2);
      assert.deepEqual(problems, []);
    });
  }

  test('an account without a monitor reads what one is', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await page.getByRole('heading', { name: 'Nothing is monitored yet' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('a decision that the server refuses comes back, with its sentence', async (t) => {
    const desk = await openDesk(t, 2);
    if (!desk) return;
    const { page } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '2');
    await page.route('**/ui/api/detect/decisions', refusing(503, 'storage-full', 'The disk is nearly full.'));
    await page.keyboard.press('w');
    await page.getByRole('alert').getByText('The disk is nearly full.').waitFor();
    await showsCount(page, '2');
  });
});
