/** Every way to sign in, in a real browser, and how they are set up. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import newQrCode from 'qrcode-generator';
import { minuteMs } from '../../../src/model/durations.ts';
import { fromBase32, totpCode, totpStep } from '../../../src/model/person/totp.ts';
import { createSignInLink } from '../../../src/product/people/sign-in-links.ts';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import { webSession } from '../../harness/server/web-session.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());
const password = 'correct horse battery';

/** A person who has only a link so far. */
async function invited(app: WebApp, name: string) {
  const { caller } = await app.server.user({ permissions: ['admin'] });
  const session = await webSession(app.server, {
    account: caller.account.name,
    name,
    permissions: ['read', 'triage', 'manage'],
    hasPassword: false,
  });
  const author = { actor: 'operator', atMs: app.server.clock.now() };
  const request = { personId: session.person.id, lifetimeMs: 10 * minuteMs, loopbackOnly: true };
  return { session, link: (await createSignInLink(request, author, app.server)).path };
}

async function signOut(page: Page): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(',');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
}

/** Of the code that has the text. */
function darkModules(text: string): number {
  const code = newQrCode(0, 'M');
  code.addData(text);
  code.make();
  const at = Array.from({ length: code.getModuleCount() }, (_, index) => index);
  return at.flatMap((row) => at.filter((column) => code.isDark(row, column))).length;
}

describe('signing in', { concurrency: 1 }, () => {
  test('a link enters after one button, works once, and leaves its secret out of the address', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { link } = await invited(app, 'linked');
    const { page, problems } = await app.open(t, undefined, link);
    const button = page.getByRole('button', { name: 'Enter as linked' });
    await button.waitFor();
    assert.equal(new URL(page.url()).search, '');
    assert.deepEqual(await axeViolations(page), []);
    await button.click();
    await page.getByRole('heading', { name: 'Signing in as linked' }).waitFor();
    assert.deepEqual(problems, []);
    const again = await app.open(t, undefined, link);
    await again.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  });

  test('a password and then the codes of an app are set up, and both are asked for', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { link } = await invited(app, 'coded');
    const { page } = await app.open(t, undefined, link);
    await page.getByRole('button', { name: 'Enter as coded' }).click();
    await page.getByText('Choose how you sign in').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Set it' }).click();
    await page.getByText('A password is set.').waitFor();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const uri = await page.getByRole('link', { name: 'or open it there' }).getAttribute('href');
    const drawn = await page.getByRole('img', { name: 'QR code' }).locator('path').getAttribute('d');
    assert.equal(drawn?.match(/M/g)?.length, darkModules(uri ?? ''));
    const secret = await page.locator('.secret').innerText();
    const code = () => totpCode(fromBase32(secret.replaceAll(/\s/g, '')), totpStep(app.server.clock.now()));
    await page.getByLabel('The code that it shows').fill(code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Recovery codes, shown this once').waitFor();
    assert.equal(await page.locator('.recovery-codes li').count(), 10);
    assert.deepEqual(await axeViolations(page), []);
    const recovery = await page.locator('.recovery-codes li').first().innerText();
    await signOut(page);
    const enter = async (last: string) => {
      await page.getByLabel('Name', { exact: true }).fill('coded');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByLabel('Code of your authenticator app').fill(last);
      await page.keyboard.press('Enter');
    };
    // A code works once: the one that confirmed the app is used up.
    app.server.clock.advanceSeconds(60);
    await enter(code());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await signOut(page);
    await enter(recovery);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  test('a wrong password has one sentence, and the name stays in its field', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { page } = await app.open(t, undefined, '/ui/monitors');
    await page.getByLabel('Name', { exact: true }).fill('nobody-has-this-name');
    await page.getByLabel('Password').fill('wrong password here');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'nobody-has-this-name');
    assert.deepEqual(await axeViolations(page), []);
  });

  test('a passkey is added and signs in; at an address without a name the page says which name to use', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { link, session } = await invited(app, 'keyed');
    const byAddress = await app.open(t, session, '/ui/me');
    await byAddress.page.getByText(`http://localhost:${new URL(app.url).port}/ui/me`).waitFor();
    assert.equal(await byAddress.page.getByRole('button', { name: 'Add a passkey' }).isDisabled(), true);
    const { page, context } = await app.open(t, undefined, '/ui/sign-in');
    const debug = await context.newCDPSession(page);
    await debug.send('WebAuthn.enable');
    await debug.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const named = app.url.replace('127.0.0.1', 'localhost');
    await page.goto(named + link);
    await page.getByRole('button', { name: 'Enter as keyed' }).click();
    await page.getByLabel('Name of the device').fill('my laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove my laptop' }).waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Passkey' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  test('sessions elsewhere are listed and ended, and the page there asks to sign in', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const ann = await (await app.account()).person('wanderer');
    assert.equal((await ann.call('PUT /me/password', { body: { password } })).status, 204);
    const enter = async () => {
      const { page } = await app.open(t, undefined, '/ui/me');
      await page.getByLabel('Name', { exact: true }).fill('wanderer');
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Signing in as wanderer' }).waitFor();
      return page;
    };
    const [here, there] = [await enter(), await enter()];
    await here.reload();
    await here.getByText('this one').waitFor();
    await here.getByRole('button', { name: 'End all others' }).click();
    await there.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await here.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
  });
});
