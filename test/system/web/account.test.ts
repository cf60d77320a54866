/** Keys, quota, people and the audit log in a real browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import { webSession } from '../../harness/server/web-session.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());
const pages = [
  'keys',
  'keys?do=new',
  'quota',
  'quota?by=user&as=table',
  'people',
  'people?do=invite',
  'audit',
];

/** The API owner of a new account, and the owner's key. */
async function owner(app: WebApp) {
  const user = await app.server.user({ permissions: ['admin'] });
  const account = user.caller.account.name;
  return {
    user,
    account,
    session: await webSession(app.server, { account, name: user.username, permissions: ['admin'] }),
  };
}

describe('the account', { concurrency: 1 }, () => {
  test('J3 a key is issued and the quota checked with 6 clicks and one typed field', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { session, user } = await owner(app);
    await app.server.call('GET /v1/intel-enrich/?domain=a.example', { key: user.key });
    const { page, problems } = await app.open(t, session, '/ui/triage');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    let clicks = 0;
    const click = (on: Locator) => {
      clicks += 1;
      return on.click();
    };
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await click(page.getByRole('button', { name: 'New key' }));
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.waitFor();
    await page.keyboard.type('siem-prod');
    await click(dialog.getByLabel('SIEM, read only'));
    await click(dialog.getByLabel('in 90 days'));
    await click(dialog.getByRole('button', { name: 'Create key' }));
    const shown = page.locator('.shown-key');
    await click(shown.getByRole('button', { name: 'Copy' }).first());
    await page.getByText('Key copied').waitFor();
    const key = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal((await app.server.call('GET /v1/account/', { key })).status, 200);
    const { json } = await session.call('GET /keys');
    const made = json.keys.find(({ username }: { username: string }) => username === 'siem-prod');
    const days = (Date.parse(made.expires) - Date.now()) / 86_400_000;
    assert.deepEqual([made.permissions, made.addresses, Math.round(days)], [['read'], [], 90]);
    await click(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Quota' }));
    await page.getByText('1 of 600 this minute').waitFor();
    assert.ok(clicks <= 6, `${clicks} clicks`);
    assert.deepEqual(problems, []);
  });

  test('a new key is tested with the answer shown, bound to an address, reset and deleted', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { session } = await owner(app);
    const { page, problems } = await app.open(t, session, '/ui/account/keys?do=new');
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByLabel('Name').fill('automation');
    await dialog.getByLabel('Passive DNS passive DNS alone').check();
    await dialog.getByText('Permissions, products and addresses').click();
    await dialog.getByRole('button', { name: 'Add mine' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.locator('.shown-key');
    const first = await shown.getByLabel('API key').inputValue();
    assert.match(await shown.getByLabel('Try it in a shell').inputValue(), new RegExp(`^curl .*${first}`));
    await shown.getByRole('button', { name: 'Test this key' }).click();
    await shown.getByText('200: the key works from here').waitFor();
    await shown.getByText('"api_username": "automation"').waitFor();
    await shown.getByRole('button', { name: 'I have it' }).click();
    const panel = page.getByRole('region', { name: 'automation', exact: true });
    await panel.getByText(/ago from 127\.0\.0\.1/).waitFor();

    await panel.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change' });
    await change.getByLabel('Works only from').fill('192.0.2.1');
    await change.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('192.0.2.1').waitFor();
    assert.equal((await app.server.call('GET /v1/account/', { key: first })).status, 403);

    await panel.getByRole('button', { name: 'Reset' }).click();
    await page.waitForURL(/do=reset&key=automation/);
    await page.reload();
    const reset = page.getByRole('dialog', { name: 'Reset a key' });
    await reset.getByText('The key is dead at once. This cannot be undone.').waitFor();
    await reset.getByText(/Last used .* ago by 127\.0\.0\.1\./).waitFor();
    const confirm = reset.getByRole('button', { name: 'Reset the key' });
    assert.equal(await confirm.isDisabled(), true);
    await page.keyboard.type('automation');
    await page.keyboard.press('Enter');
    assert.notEqual(await shown.getByLabel('API key').inputValue(), first);
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the key', exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    assert.deepEqual(problems, []);
  });

  test('another administrator sees who the API owner is, and cannot reset or touch the key of the owner', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { user, account } = await owner(app);
    const admin = await webSession(app.server, { account, permissions: ['admin'] });
    await admin.call('POST /keys', { body: { username: 'colleague-key' } });
    const { page } = await app.open(t, admin, '/ui/account/keys');
    await page.getByText(`Only the API owner, ${user.username}, resets keys.`).waitFor();
    const disabledIn = async (name: string) => {
      const buttons = page.getByRole('region', { name }).getByRole('button');
      return Promise.all((await buttons.all()).map((button) => button.isDisabled()));
    };
    assert.deepEqual(await disabledIn(user.username), [true, true, true]);
    assert.deepEqual(await disabledIn('colleague-key'), [false, true, false]);
  });

  test('a person is invited by a link, gets a role, is disabled, enabled and removed', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { session } = await owner(app);
    const { page, problems } = await app.open(t, session, '/ui/account/people');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.keyboard.type('new-analyst');
    await page.getByLabel('Lead').check();
    await page.keyboard.press('Enter');
    const link = await page.locator('.shown-key').getByLabel('Link').inputValue();
    const entered = await app.open(t, undefined, new URL(link).pathname + new URL(link).search);
    await entered.page.getByText('new-analyst').first().waitFor();
    const panel = page.getByRole('region', { name: 'new-analyst', exact: true });
    await panel.getByText('Lead').waitFor();
    await panel.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change' });
    await dialog.getByLabel('Own choice').check();
    await dialog.getByLabel('ingest').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Own choice').waitFor();
    await panel.getByRole('button', { name: 'Disable' }).click();
    await panel.getByText('disabled', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Enable' }).click();
    await panel.getByRole('button', { name: 'Disable' }).waitFor();
    await panel.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await panel.waitFor({ state: 'detached' });
    assert.deepEqual(problems, []);
  });

  test('the audit log says that it is whole, and is filtered in its address', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { session } = await owner(app);
    for (let count = 0; count < 60; count += 1) await session.call('DELETE /sessions');
    for (const name of ['audited-a', 'audited-b']) {
      await session.call('POST /keys', { body: { username: name } });
      await session.call(`DELETE /keys/${name}`);
    }
    const { page, problems } = await app.open(t, session, '/ui/account/audit');
    await page.getByText(/^Whole: checked \d+ entries of this account/).waitFor();
    await page.getByLabel('What').selectOption('user');
    await page.waitForURL(/kind=user/);
    await page.getByRole('link', { name: session.person.name }).first().click();
    await page.waitForURL(/actor=/);
    const rows = page.getByRole('row');
    await page.getByRole('cell', { name: 'person.create' }).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 5);
    await page.reload();
    await page.getByRole('cell', { name: 'user.remove' }).first().waitFor();
    assert.equal(await rows.count(), 5);
    assert.deepEqual(problems, []);
  });

  test('who is no administrator sees the quota, and what the other pages need', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const reader = await (await app.account()).person('quota-reader', ['read']);
    const { page, problems } = await app.open(t, reader, '/ui/account/keys');
    for (const name of ['Keys', 'People', 'Audit log']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name: 'This is for administrators' }).waitFor();
    }
    await page.getByRole('link', { name: 'Quota', exact: true }).click();
    await page.getByText('products without a request in 30 days').waitFor();
    assert.deepEqual(problems, []);
  });

  for (const [width, dark] of [
    [1280, false],
    [390, true],
  ] as const)
    test(`the pages meet WCAG 2.2 AA and fit at ${width} px, ${dark ? 'dark' : 'light'}`, async (t) => {
      const app = await openApp(t);
      if (!app) return;
      const { session, user } = await owner(app);
      await app.server.call('GET /v1/intel-enrich/?domain=a.example', { key: user.key });
      const { page, problems } = await app.open(t, session, '/ui/account/keys', { width, dark });
      const faults: string[] = [];
      for (const path of pages) {
        await page.goto(`${app.url}/ui/account/${path}`);
        await page
          .getByRole(path.includes('do=') ? 'dialog' : 'heading')
          .first()
          .waitFor();
        await page.locator('.skeletons').waitFor({ state: 'detached' });
        faults.push(...(await axeViolations(page)).map((fault) => `${path}: ${fault}`));
        const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (excess > 0) faults.push(`${path}: ${excess} px too wide`);
      }
      assert.deepEqual([faults, problems], [[], []]);
    });
});
