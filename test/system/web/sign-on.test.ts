/** Single sign-on in a real browser: set up by an administrator, used by people, with providers on another site. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import { oidcProvider } from '../../harness/identity/oidc-provider.ts';
import { samlSite } from '../../harness/identity/saml-site.ts';
import { type WebSession, webSession } from '../../harness/server/web-session.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope(), { settings: { 'outgoing.allow': '127.0.0.1,::1' } });
const people = {
  'ann-1': { preferred_username: 'ann-sso', groups: ['analysts'] },
  'bob-2': { preferred_username: 'bob-sso', groups: ['guests'] },
  'eve-3': { preferred_username: 'eve-sso', groups: ['analysts'] },
};

const adminOf = async (app: WebApp, name: string) => {
  const { caller } = await app.server.user({ permissions: ['admin'] });
  return webSession(app.server, { account: caller.account.name, name, permissions: ['admin'] });
};

/** Requests to the provider are what this is about; everything else counts. */
const unexpected = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.startsWith('request to another host: http://localhost:'));

async function signInThere(page: Page, subject: string): Promise<void> {
  await page.getByRole('heading', { name: 'The provider' }).waitFor();
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Sign in there' }).click();
}

async function addProvider(admin: WebSession, idp: Awaited<ReturnType<typeof oidcProvider>>, name: string) {
  const mapping = {
    rules: [{ claim: 'groups', value: 'analysts', permissions: ['read', 'triage', 'manage'] }],
    otherwise: null,
    creates_people: true,
    name_claim: '',
    email_domains: [],
  };
  const oidc = { issuer: idp.issuer, client_id: idp.clientId, client_secret: idp.clientSecret };
  const made = await admin.call('POST /identity-providers', { body: { name, oidc, enabled: true, mapping } });
  assert.equal(made.status, 201, made.text);
  idp.allow(made.json.urls.callback);
}

describe('single sign-on', { concurrency: 1 }, () => {
  test('an administrator adds a provider, says who gets what, tests and enables it; then people sign in by its button', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const idp = await oidcProvider(t, people, 'localhost');
    const admin = await adminOf(app, 'setter-up');
    const { page, problems } = await app.open(t, admin, '/ui/account/sign-in');
    await page.getByRole('heading', { name: 'No identity provider yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const form = page.getByRole('dialog', { name: 'Add an identity provider' });
    await form.getByLabel('Name', { exact: true }).fill('Corp');
    await form.getByLabel('Issuer').fill(idp.issuer);
    await form.getByLabel('Client id').fill(idp.clientId);
    await form.getByLabel('Client secret').fill(idp.clientSecret);
    assert.deepEqual(await axeViolations(page), []);
    await form.getByRole('button', { name: 'Add a provider' }).click();
    const panel = page.getByRole('region', { name: 'Corp' });
    await panel.getByText('not enabled').waitFor();
    await panel.getByText('What the provider must know').click();
    idp.allow(await panel.getByLabel('Redirect URI').inputValue());
    await panel.getByRole('button', { name: 'Who gets what' }).click();
    const mapping = page.getByRole('dialog', { name: 'Who gets what' });
    await mapping.getByRole('button', { name: 'Add a rule' }).click();
    await mapping.getByLabel('has the value').fill('analysts');
    await mapping.getByRole('group', { name: 'gives' }).getByLabel('triage').check();
    await mapping.getByLabel('creates the person').check();
    assert.deepEqual(await axeViolations(page), []);
    await mapping.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('1 rule; everybody else is refused').waitFor();

    await panel.getByRole('button', { name: 'Test sign-in' }).click();
    await signInThere(page, 'ann-1');
    const report = page.getByRole('dialog', { name: 'Test sign-in' });
    await report.getByText('Would create and sign in ann-sso with the permissions read, triage').waitFor();
    await report.getByRole('cell', { name: 'analysts' }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await report.getByRole('button', { name: 'Done' }).click();
    assert.equal(await app.server.people.findPerson('ann-sso'), undefined);
    await panel.getByRole('button', { name: 'Enable' }).click();
    await panel.getByText('enabled', { exact: true }).waitFor();
    assert.deepEqual(unexpected(problems), []);

    const visitor = await app.open(t, undefined, '/ui/monitors');
    const button = visitor.page.getByRole('link', { name: 'Sign in with Corp' });
    await button.waitFor();
    assert.deepEqual(await axeViolations(visitor.page), []);
    await button.click();
    await signInThere(visitor.page, 'ann-1');
    await visitor.page.waitForURL('**/ui/monitors');
    await visitor.page.getByRole('heading', { name: 'Monitors' }).waitFor();
    // The page that was asked for first is refused before anyone has signed in.
    assert.deepEqual(
      unexpected(visitor.problems).filter((problem) => !problem.includes('401')),
      [],
    );
    assert.equal((await app.server.people.findPerson('ann-sso'))?.account.name, admin.account);
  });

  test('somebody whom no rule matches gets a sentence that says whom to ask', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const idp = await oidcProvider(t, people, 'localhost');
    await addProvider(await adminOf(app, 'refuser'), idp, 'Refusing');
    const { page } = await app.open(t, undefined, '/ui/sign-in', { width: 390, dark: true });
    await page.getByRole('link', { name: 'Sign in with Refusing' }).click();
    await signInThere(page, 'bob-2');
    await page.getByRole('alert').getByText('You may not use Nameglass yet').waitFor();
    assert.deepEqual(await axeViolations(page), []);
  });

  test('SAML signs in by the form of another site, although that brings no cookie', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const admin = await adminOf(app, 'saml-admin');
    const site = await samlSite(t, { server: app.server, host: 'localhost', attributes: { uid: ['sam'] } });
    const mapping = {
      rules: [],
      otherwise: ['read'],
      creates_people: true,
      name_claim: 'uid',
      email_domains: [],
    };
    const made = await admin.call('POST /identity-providers', {
      body: { name: 'Corp SAML', saml: { metadata: site.metadata }, enabled: true, mapping },
    });
    assert.equal(made.status, 201, made.text);
    const { page, problems } = await app.open(t, undefined, '/ui/blocklists');
    await page.getByRole('link', { name: 'Sign in with Corp SAML' }).click();
    await page.getByRole('heading', { name: 'The SAML provider' }).waitFor();
    await page.getByRole('button', { name: 'Sign in there' }).click();
    await page.waitForURL('**/ui/blocklists');
    await page.getByRole('heading', { name: 'Blocklists' }).waitFor();
    assert.equal((await app.server.people.findPerson('sam'))?.account.name, admin.account);
    assert.deepEqual(
      unexpected(problems).filter((problem) => !problem.includes('401')),
      [],
    );
    const settings = await app.open(t, admin, '/ui/account/sign-in', { width: 390, dark: true });
    await settings.page.getByRole('region', { name: 'Corp SAML' }).waitFor();
    assert.deepEqual(await axeViolations(settings.page), []);
    const widths = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    assert.equal(await settings.page.evaluate(widths), true);
  });

  test('a session that ended is renewed in another tab, and the page goes on', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const idp = await oidcProvider(t, people, 'localhost');
    await addProvider(await adminOf(app, 'renewer'), idp, 'Renewing');
    const { page, context } = await app.open(t, undefined, '/ui/me');
    await page.getByRole('link', { name: 'Sign in with Renewing' }).click();
    await signInThere(page, 'eve-3');
    await page.getByRole('heading', { name: 'Signing in as eve-sso' }).waitFor();
    await page.getByText('connected').waitFor();
    const found = await app.server.people.findPerson('eve-sso');
    const author = { actor: 'operator', atMs: app.server.clock.now() };
    await app.server.sessions.endSessions(found?.person.id ?? '', undefined, author);
    app.server.clock.advanceSeconds(1);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    const opened = context.waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in with Renewing' }).click();
    const tab = await opened;
    // The provider remembers who it was.
    await tab.getByRole('navigation', { name: 'Pages' }).waitFor();
    await tab.close();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Monitors' }).waitFor();
  });
});
