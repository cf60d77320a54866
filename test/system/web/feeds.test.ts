/** Feeds in a real browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withFeeds } from '../../api/feed/feed-fixture.ts';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());

describe('feeds', { concurrency: 1 }, () => {
  test('a feed shows its lines as they come, pauses, and ends a session', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { server } = app;
    const ann = await (await app.account()).person('feed-reader');
    const user = await server.user({ account: ann.account, permissions: ['read'] });
    const feeds = withFeeds(server, user.key, user.username);
    await feeds.appendNames('nod', 'first.example');
    await feeds.poll('nod', 'sessionID=my-siem&after=-3600');
    const { page, problems } = await app.open(t, ann, '/ui/feeds');
    await page.getByRole('link', { name: 'Newly observed domains' }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('link', { name: 'Newly observed domains' }).click();
    await page.getByRole('button', { name: 'Show lines as they come' }).click();
    await page.waitForURL(/tail=/);
    await page.locator('.tail li', { hasText: 'first.example' }).waitFor();
    await feeds.append('nod', [{ domain: '<b>x</b>.example' }]);
    await page.locator('.tail li', { hasText: '<b>x</b>.example' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await feeds.appendNames('nod', 'later.example');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.tail li', { hasText: 'later.example' }).waitFor();
    assert.equal(await page.locator('.tail li', { hasText: 'first.example' }).count(), 1);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await axeViolations(page), []);
    await page
      .getByRole('row', { name: /my-siem/ })
      .getByRole('button', { name: 'End' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('No client polls it under a session name', { exact: false }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: 'Feeds', exact: true }).waitFor();
    assert.deepEqual(problems, []);
  });
});
