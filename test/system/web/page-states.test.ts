/** What every page shows when there is something, nothing, a slow server, a refusal, or no permission: at both widths, in light and in dark. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { desks } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

interface Shown {
  readonly path: string;
  /** The answer without which the page has nothing to show. */
  readonly needs: string;
  /** When there is something. */
  readonly filled: string;
  /** When there is nothing. */
  readonly empty?: string;
  /** A control that a viewer sees, disabled. */
  readonly refused?: string;
}

const name = 'cloudpantry-0.example';
const pages: Readonly<Record<string, Shown>> = {
  domain: {
    path: `/ui/domain/${name}`,
    needs: `**/ui/api/domains/${name}`,
    filled: '.facts',
    refused: 'Examine again',
  },
  record: { path: `/ui/domain/${name}?tab=record`, needs: '**/record', filled: '.record' },
  history: {
    path: `/ui/domain/${name}?tab=history`,
    needs: '**/history',
    filled: '.moments',
  },
  pictures: { path: `/ui/domain/${name}?tab=pictures`, needs: '**/pictures', filled: '.no-picture' },
  'passive DNS': { path: `/ui/domain/${name}?tab=dns`, needs: '**/pdns', filled: '.panel .pale' },
  monitors: {
    path: '/ui/monitors',
    needs: '**/ui/api/monitors',
    filled: '.monitor-table',
    empty: 'There is no monitor yet',
    refused: 'New monitor',
  },
  alerts: {
    path: '/ui/alerts',
    needs: '**/ui/api/subscriptions',
    filled: '.alert-panel',
    empty: 'Nobody is notified yet',
    refused: 'New alert',
  },
  blocklists: {
    path: '/ui/blocklists',
    needs: '**/ui/api/blocklists',
    filled: '.list-panel',
    refused: 'Replace all links',
  },
  'recent decisions': {
    path: '/ui/decisions',
    needs: '**/ui/api/detect/decisions*',
    filled: '.decisions li',
    empty: 'Nothing has been decided yet',
  },
  tags: {
    path: '/ui/tags',
    needs: '**/ui/api/tags',
    filled: '.tag-label',
    empty: 'There are no tags yet',
  },
  'passive DNS records': {
    path: `/ui/pdns?name=${name}`,
    needs: '**/ui/api/pdns/records*',
    filled: '.pdns-lines',
  },
  'signing in': { path: '/ui/me', needs: '**/ui/api/sessions', filled: '.credential-lines li' },
};

const refusal =
  (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers,
      contentType: 'application/json',
      body: JSON.stringify({ error: { code: 'internal', message }, request_id: 'request-1' }),
    });

/** In both widths and both colour schemes. */
async function isSound(page: Page, what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const where = `${what} at ${width} px in ${colorScheme}`;
    assert.deepEqual(await axeViolations(page), [], where);
    const overflow = await page.evaluate(
      "Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('main')].map((main) => main.scrollWidth - main.clientWidth))",
    );
    assert.equal(overflow, 0, `${where}: no horizontal scrolling`);
  }
}

/** Everything but what the browser itself writes of a refused request. */
const unexpected = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.startsWith('Failed to load resource'));

describe('states of pages', { concurrency: 1 }, () => {
  for (const [what, shown] of Object.entries(pages)) {
    test(`${what}: what there is, nothing, a slow server and a failed one are shown soundly`, async (t) => {
      const desk = await openDesk(t, 3);
      if (!desk) return;
      const { ann, app } = desk;
      const made = await ann.call('POST /subscriptions', {
        body: { webhook: 'https://1.1.1.1/nameglass' },
      });
      assert.equal(made.status, 201, made.text);
      const [first] = (await ann.call('GET /detect/domains?list=new')).json.domains;
      await ann.call('POST /detect/decisions', { body: { ids: [first.id], to: 'blocked' } });
      const tag = { label: 'kit 7', scope: 'team' };
      await ann.call('POST /domain-tags', { body: { domains: [name], add: [tag] } });
      const changed = {
        record: { domain: name, registrar: 'Other' },
        source: 'test',
        seenMs: app.server.clock.now() + 1,
      };
      await app.server.domains.upsert([changed]);
      const filled = await app.open(t, ann, shown.path);
      await filled.page.locator(shown.filled).first().waitFor();
      await isSound(filled.page, 'filled');
      assert.deepEqual(filled.problems, []);
      const slow = await app.open(t, ann, shown.path, {
        prepare: (page) => page.route(shown.needs, () => undefined).then(() => undefined),
      });
      await slow.page.locator('.skeleton').first().waitFor();
      await isSound(slow.page, 'loading');
      const failing = await app.open(t, ann, shown.path, {
        prepare: (page) =>
          page.route(shown.needs, refusal(500, 'An unexpected error occurred.')).then(() => undefined),
      });
      const alert = failing.page.getByRole('alert').first();
      await alert.getByText('request-1').waitFor();
      await isSound(failing.page, 'failed');
      await failing.page.unroute(shown.needs);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await failing.page.locator(shown.filled).first().waitFor();
      assert.deepEqual(unexpected(failing.problems), []);
    });
  }

  test('too many requests and a server that is stopping say so, on every page', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const busy = refusal(429, 'Too many requests in this minute.', { 'retry-after': '17' });
    const saySo = async ({ path, needs }: Shown) => {
      const { page } = await desk.app.open(t, desk.ann, path, {
        prepare: (given) => given.route(needs, busy).then(() => undefined),
      });
      await page.getByText('Possible again in 17 s.').waitFor();
      await page.unroute(needs);
      await page.route(needs, refusal(503, 'The server is stopping.'));
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('The server is stopping.').waitFor();
    };
    // A few at a time: a busy machine would take longer for all than a person waits.
    const all = Object.values(pages);
    for (let at = 0; at < all.length; at += 4) await Promise.all(all.slice(at, at + 4).map(saySo));
  });

  for (const [what, { path, empty }] of Object.entries(pages)) {
    if (empty === undefined) continue;
    test(`${what}: a new account reads what comes first`, async (t) => {
      const desk = await openDesk(t, 0);
      if (!desk) return;
      const { page, problems } = await desk.app.open(t, desk.ann, path);
      await page.getByRole('heading', { name: empty }).waitFor();
      await isSound(page, 'empty');
      assert.deepEqual(problems, []);
    });
  }

  for (const [what, { path, refused }] of Object.entries(pages)) {
    if (refused === undefined) continue;
    test(`${what}: a viewer sees the control, disabled, and whom to ask`, async (t) => {
      const desk = await openDesk(t, 1);
      if (!desk) return;
      const viewer = await desk.colleague(['read']);
      const { page, problems } = await desk.app.open(t, viewer, path);
      const control = page.getByRole('button', { name: refused }).first();
      await control.waitFor();
      assert.equal(await control.isDisabled(), true);
      assert.match((await control.getAttribute('title')) ?? '', /needs|permission/i);
      await isSound(page, 'no permission');
      assert.deepEqual(problems, []);
    });
  }
});
