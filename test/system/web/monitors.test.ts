/** Monitors in a real browser: made while seeing what they would find, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { appOf } from '../../harness/browser/start-app.ts';
import { discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());

/** Moves the focus to what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const label = (): Promise<string> =>
    page.evaluate(
      "((at) => at.labels?.[0]?.innerText ?? at.ariaLabel ?? at.innerText ?? '')(document.activeElement)",
    );
  for (let tabs = 0; tabs < 60; tabs += 1) {
    if ((await label()).includes(name)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${name} is not reached with the Tab key`);
}

describe('monitors', { concurrency: 1 }, () => {
  test('a monitor is made with a preview whose lines an exclusion strikes, without a mouse', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const names = discoveryFixture(app.server);
    await names.write({ domain: 'mapleton-parked.com', name_server: [{ host: 'ns1.parking.example' }] });
    await names.append(['mapleton-login.com', 'mapleton-parked.com', 'mapl3ton.com', 'mapleton-blog.com']);
    await names.discover();
    const ann = await (await app.account()).person('monitor-maker');
    const { page, problems } = await app.open(t, ann, '/ui/triage');
    await page.getByRole('heading', { name: 'Nothing is monitored yet' }).waitFor();
    await page.getByLabel('Term').waitFor();
    // Out of the field of the first monitor.
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Monitors', exact: false }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Term').waitFor();
    await page.keyboard.type('ma');
    assert.equal(await page.getByRole('button', { name: 'Watch for it' }).isDisabled(), true);
    await page.keyboard.type('pleton');
    await page.getByText('In the last 90 days: 4 names').waitFor();
    await tabTo(page, 'with these texts');
    await page.keyboard.type('blog');
    await page.keyboard.press('Enter');
    await page.locator('.struck', { hasText: 'mapleton-blog.com' }).getByText('left out by blog').waitFor();
    await page.getByText('2 names').or(page.getByText('3 names, 1 left out by exclusions')).first().waitFor();
    await tabTo(page, 'Exclude name servers');
    await page.keyboard.press('Enter');
    await page.locator('.struck', { hasText: 'mapleton-parked.com' }).waitFor();
    await page.getByLabel('Term').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'mapleton' }).waitFor();
    const { monitors } = (await ann.call('GET /monitors')).json;
    assert.deepEqual(
      [monitors[0].term, monitors[0].text_exclusions, monitors[0].nameserver_exclusions],
      ['mapleton', ['blog'], ['ns1.parking.example']],
    );
    assert.deepEqual(problems, []);
  });

  test('a monitor is paused and resumed, and deleting it says what hangs on it', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const ann = await (await app.account()).person('monitor-keeper');
    const names = discoveryFixture(app.server);
    await ann.call('POST /monitors', { body: { term: 'harborline' } });
    await names.searchKnown();
    await names.append(['harborline-pay.com', 'harborline-shop.com']);
    await names.discover();
    const [first] = (await ann.call('GET /detect/domains?list=new')).json.domains;
    await ann.call('POST /detect/decisions', { body: { ids: [first.id], to: 'blocked' } });
    const { page, problems } = await app.open(t, ann, '/ui/monitors');
    await page.getByRole('button', { name: 'Pause harborline' }).click();
    await page.getByRole('cell', { name: 'paused' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Resume harborline' }).click();
    await page.getByRole('button', { name: 'Pause harborline' }).waitFor();
    await page.getByRole('link', { name: 'harborline' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete the monitor' });
    await dialog.getByText('2 domains leave your lists with it').waitFor();
    assert.equal(await dialog.getByLabel('Keep 1 blocked domain on the blocklist').isChecked(), true);
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { name: 'There is no monitor yet' }).waitFor();
    assert.equal((await ann.call('GET /blocklists')).json.domains, 1);
    assert.deepEqual(problems, []);
  });

  test('own domains are added and removed, and a suffix is refused at its field', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const ann = await (await app.account()).person('monitor-owner');
    const { page } = await app.open(t, ann, '/ui/monitors');
    await page.getByLabel('Add a domain').fill('acme.example');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove acme.example' }).waitFor();
    await page.getByLabel('Add a domain').fill('com');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').first().waitFor();
    assert.equal(await page.getByLabel('Add a domain').inputValue(), 'com');
    await page.getByRole('button', { name: 'Remove acme.example' }).click();
    await page.getByRole('button', { name: 'Remove acme.example' }).waitFor({ state: 'detached' });
    assert.deepEqual((await ann.call('GET /own-domains')).json.own_domains, []);
  });

  test('a session that ends while a monitor is edited is signed in again over the page, and nothing is lost', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const password = 'correct horse battery';
    const ann = await (await app.account()).person('monitor-editor');
    assert.equal((await ann.call('PUT /me/password', { body: { password } })).status, 204);
    const { page } = await app.open(t, undefined, '/ui/monitors/new?term=longriver');
    await page.getByLabel('Name', { exact: true }).fill(ann.person.name);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Term').waitFor();
    assert.equal(await page.getByLabel('Term').inputValue(), 'longriver');
    await page.getByRole('textbox', { name: 'with these texts' }).fill('jobs');
    // Otherwise the preview would notice first, and the dialog would be over the button.
    await page.locator('section.preview[aria-busy="false"]').waitFor();
    await app.server.sessions.endSessions(ann.person.id, undefined, {
      actor: 'operator',
      atMs: app.server.clock.now(),
    });
    await page.getByRole('button', { name: 'Watch for it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'longriver' }).waitFor();
    const { monitors } = (await ann.call('GET /monitors', { headers: await cookieOf(page) })).json;
    assert.deepEqual(monitors[0].text_exclusions, ['jobs']);
  });
});

async function cookieOf(page: Page): Promise<{ cookie: string }> {
  const cookies = await page.context().cookies();
  return { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}
