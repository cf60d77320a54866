/** Search in a real browser: chips, the query language, facets, the table, operations on values, hashes and files. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Permission } from '../../../src/model/account/permission.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import { until } from '../../harness/browser/triage-desk.ts';
import type { AppPage, OpenOptions, WebApp } from '../../harness/browser/web-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

/** More than this many are too many. */
const matchesMax = 600;
const openApp = appOf(fileScope(), { settings: { 'limits.investigate.matchesMax': String(matchesMax) } });

const markup = '<img src=x onerror=alert(1)>';
const hostile = `${markup} pay\u202elap \u200bx`;

/** 700 domains of four registrars, on 20 addresses and 6 name servers; one has text that means harm in every cell. */
const records: readonly DomainRecord[] = Array.from({ length: 700 }, (_, index) => ({
  domain: `shop-${index}.example`,
  registrar: ['Ember & Ash', 'Other Names, Inc.', 'Парк Регистр', 'Cheap Names'][index % 4],
  ip: [{ address: `192.0.2.${index % 20}`, country_code: index % 2 === 0 ? 'de' : 'us', isp: 'Host & Sons' }],
  name_server: [{ host: `ns1.dns-${index % 6}.example`, domain: `dns-${index % 6}.example` }],
  server_type: 'shared-server/1',
  ...(index === 4 && { website_title: hostile, registrant_org: hostile, redirect: hostile }),
})) as unknown as readonly DomainRecord[];

let filled: Promise<void> | undefined;

async function fill(app: WebApp): Promise<void> {
  const seenMs = app.server.clock.now();
  await app.server.domains.upsert(records.map((record) => ({ record, source: 'test', seenMs })));
}

let people = 0;

async function open(
  t: TestContext,
  path: string,
  options: OpenOptions = {},
  permissions?: readonly Permission[],
): Promise<(AppPage & { app: WebApp }) | undefined> {
  const app = await openApp(t);
  if (!app) return undefined;
  await (filled ??= fill(app));
  const { person } = await app.account();
  const opened = await app.open(t, await person(`hunter${++people}`, permissions), path, options);
  return { ...opened, app };
}

const countIs = (page: Page, count: string): Promise<void> =>
  until(page, async () => (await page.locator('h1 .count').allInnerTexts()).join() === count);
const chips = async (page: Page): Promise<string[]> =>
  (await page.locator('.search-chip').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
const ember = '/ui/search?registrar=Ember+%26+Ash';

describe('Search', { concurrency: 1 }, () => {
  test('a search is made, narrowed, excluded from and taken back by keyboard alone', async (t) => {
    const opened = await open(t, '/ui/search');
    if (!opened) return;
    const { page, problems } = opened;
    await page.getByText('Try one of these').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('registrar');
    await page
      .getByRole('option', { name: /^registrar/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Ember');
    await page.getByRole('option', { name: /Ember & Ash/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await countIs(page, '175');
    assert.equal(new URL(page.url()).searchParams.get('registrar'), 'Ember & Ash');
    await page.keyboard.type('ip_country_code!=us');
    await page.getByRole('option', { name: /Search for/ }).waitFor();
    await page.keyboard.press('Enter');
    await until(page, async () => (await chips(page)).length === 2);
    assert.deepEqual(await chips(page), ['registrar = Ember & Ash', 'ip_country_code ≠ us']);
    assert.equal(await page.locator('.search-chip.filters').count(), 1, 'a filter has another shape');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Delete');
    await until(page, async () => (await chips(page)).length === 1);
    await page.goBack();
    await until(page, async () => (await chips(page)).length === 2);
    await page.reload();
    await until(page, async () => (await chips(page)).length === 2);
    assert.deepEqual(problems, []);
  });

  test('a pasted list of names is one condition, and names without a record are named', async (t) => {
    const opened = await open(t, '/ui/search');
    if (!opened) return;
    const { page, problems } = opened;
    await page.getByRole('combobox').focus();
    await page.evaluate(
      "navigator.clipboard.writeText('shop-1[.]example\\nhxxps://shop-2[.]example/x\\nnobody.example')",
    );
    await page.keyboard.press('Control+v');
    await countIs(page, '2');
    assert.deepEqual(new URL(page.url()).searchParams.getAll('domain'), [
      'shop-1.example',
      'shop-2.example',
      'nobody.example',
    ]);
    await page.getByText('1 name has no record:').waitFor();
    assert.deepEqual(problems, []);
  });

  test('a mistake in a query is marked at its line and column, and the corrected query runs', async (t) => {
    const opened = await open(t, '/ui/search?ql=registrar+%3D+"Ember+%26+Ash"%0AAND+server_type+AND');
    if (!opened) return;
    const { page, problems } = opened;
    const mark = page.locator('.mistake mark');
    assert.equal(await mark.innerText(), 'AND');
    assert.match(await page.getByRole('alert').innerText(), /line 2, column 17/);
    await page.getByRole('button', { name: 'Go to the mistake' }).click();
    const selected = await page.evaluate<string>(
      "(() => { const field = document.querySelector('textarea'); return field.value.slice(field.selectionStart, field.selectionEnd); })()",
    );
    assert.equal(selected, 'AND');
    await page.keyboard.type('!= x OR server_type = y');
    await page.keyboard.press('Control+Enter');
    await countIs(page, '175');
    assert.equal(await mark.count(), 0);
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('422')),
      [],
    );
  });

  test('too many matches show no table but facets to narrow, and one of them leads to a table', async (t) => {
    const opened = await open(t, '/ui/search?server_type=shared-server%2F1');
    if (!opened) return;
    const { page, problems } = opened;
    await page.getByRole('heading', { name: '700 domains match' }).waitFor();
    assert.equal(await page.getByRole('grid').count(), 0);
    assert.equal(await page.locator('.too-many section').count(), 3);
    await page
      .locator('.too-many')
      .getByRole('button', { name: /^Narrow to/ })
      .first()
      .click();
    await page.getByRole('grid').waitFor();
    assert.equal((await chips(page)).length, 2);
    assert.deepEqual(problems, []);
  });

  test('facets narrow with + and exclude with -, and their numbers are those of the search', async (t) => {
    const opened = await open(t, ember);
    if (!opened) return;
    const { page, problems } = opened;
    await countIs(page, '175');
    await page.keyboard.press('f');
    const row = page.locator('.facet-value', { hasText: 'dns-0.example' });
    await row.waitFor();
    const expected = records.filter(({ domain }) => {
      const index = Number(/\d+/.exec(domain)?.[0]);
      return index % 4 === 0 && index % 6 === 0;
    }).length;
    assert.equal(await row.locator('.facet-numbers > b').innerText(), String(expected));
    await row.locator('.value-button').focus();
    await page.keyboard.press('-');
    await countIs(page, String(175 - expected));
    assert.deepEqual(await chips(page), ['registrar = Ember & Ash', 'nameserver_domain ≠ dns-0.example']);
    await page.goBack();
    await countIs(page, '175');
    await row.locator('.value-button').focus();
    await page.keyboard.press('+');
    await countIs(page, String(expected));
    assert.deepEqual(await chips(page), ['registrar = Ember & Ash', 'nameserver_domain = dns-0.example']);
    assert.deepEqual(problems, []);
  });

  test('arrows move between cells, and the operations of a value narrow the search, copy and open its page', async (t) => {
    const opened = await open(t, `${ember}&columns=ip.address&sort_by=domain`);
    if (!opened) return;
    const { page, problems } = opened;
    await countIs(page, '175');
    await page.getByRole('grid').focus();
    for (const key of ['ArrowRight', 'ArrowRight', '.']) await page.keyboard.press(key);
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: /Search for it.*35 domains/ }).waitFor();
    await menu.getByRole('menuitem', { name: /Narrow the search to it.*35 domains/ }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('c');
    await page.keyboard.press('Enter');
    assert.match(
      await page.evaluate<string>('navigator.clipboard.readText()'),
      /^192\[\.\]0\[\.\]2\[\.\]\d+$/,
    );
    await menu.waitFor({ state: 'detached' });
    assert.equal(
      await page.evaluate("document.activeElement.getAttribute('role')"),
      'grid',
      'the focus is back',
    );
    await page.keyboard.press('.');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/ip\/192\.0\.2\.\d+$/);
    await page.getByRole('heading', { name: 'Domains that share it' }).waitFor();
    await page.getByRole('link', { name: 'Search for all 35 domains' }).click();
    await countIs(page, '35');
    assert.deepEqual(problems, []);
  });

  test('a search hash that is copied opens the same search', async (t) => {
    const opened = await open(t, `${ember}&ip_country_code=de`);
    if (!opened) return;
    const { page, app, problems } = opened;
    await countIs(page, '175');
    await page.getByRole('button', { name: 'Copy search hash' }).click();
    await page.getByText('Copied: the search hash').waitFor();
    const hash = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.goto(`${app.url}/ui/search/h/${hash}`);
    await countIs(page, '175');
    assert.deepEqual(await chips(page), ['ip_country_code = de', 'registrar = Ember & Ash']);
    await page.goto(`${app.url}/ui/search/h/nonsense`);
    await page.getByText('This search hash was not made by this server').waitFor();
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith('Failed to load resource')),
      [],
    );
  });

  test('an export downloads a file of everything that was found, defanged if wanted', async (t) => {
    const opened = await open(t, ember);
    if (!opened) return;
    const { page, problems } = opened;
    await countIs(page, '175');
    await page.keyboard.press('Shift+E');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByText('175 domains').waitFor();
    await dialog.getByLabel('Plain text').check();
    await dialog.getByLabel('Defanged').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.txt$/);
    const names = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    assert.equal(names.length, 175);
    assert.ok(names.includes('shop-4[.]example'));
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(problems, []);
  });

  test('hostile text in cells, chips, menus and the start page is drawn as text', async (t) => {
    const opened = await open(
      t,
      `/ui/search?website_title=${encodeURIComponent(hostile)}&columns=website_title&columns=registrant_org&columns=redirect`,
    );
    if (!opened) return;
    const { page, app, problems } = opened;
    await countIs(page, '1');
    await page.getByRole('grid').focus();
    for (const key of ['ArrowRight', 'ArrowRight', '.']) await page.keyboard.press(key);
    await page.getByRole('menu').waitFor();
    const assertDrawnAsText = async (where: string) => {
      const text = await page.evaluate<string>('document.body.innerText');
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b]/, where);
      assert.ok(text.includes('payU+202Elap'), where);
      assert.equal(await page.locator('img[onerror]').count(), 0, where);
    };
    await assertDrawnAsText('search');
    await page.goto(`${app.url}/ui/search`);
    await page.getByText('Your recent searches').waitFor();
    await assertDrawnAsText('recent searches');
    assert.deepEqual(problems, []);
  });

  test('columns, order and loaded pages are in the address, and survive a reload', async (t) => {
    const ql = encodeURIComponent('server_type = "shared-server/1" AND NOT registrar = "Cheap Names"');
    const opened = await open(t, `/ui/search?ql=${ql}&facets=closed`);
    if (!opened) return;
    const { page, problems } = opened;
    await countIs(page, '525');
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose columns' });
    await dialog.getByRole('searchbox').fill('web server');
    await dialog.getByLabel('Web server', { exact: true }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader').getByRole('button', { name: 'Domain', exact: true }).click();
    await page.waitForURL(/sort_by=domain/);
    const isSorted = async () =>
      (await page.locator('[role=columnheader]', { hasText: 'Domain' }).first().getAttribute('aria-sort')) ===
      'ascending';
    await until(page, isSorted);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page.getByRole('button', { name: 'Show the next 25' }).click();
    await page.waitForURL(/pages=2/);
    const loaded = () => page.evaluate<number>("document.querySelector('.grid-rows')?.offsetHeight ?? 0");
    await until(page, async () => (await loaded()) === 525 * 36);
    await page.reload();
    await until(page, async () => (await loaded()) === 525 * 36);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page.getByRole('columnheader', { name: 'Web server' }).waitFor();
    assert.ok(await isSorted());
    assert.equal(await page.getByRole('button', { name: /Show the next/ }).count(), 0);
    assert.deepEqual(problems, []);
  });

  test('names that are selected are copied defanged, and those who may only read cannot tag or save', async (t) => {
    const opened = await open(t, `${ember}&sort_by=domain&facets=closed`, {}, ['read']);
    if (!opened) return;
    const { page, problems } = opened;
    await countIs(page, '175');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor();
    await page.keyboard.press('y');
    await page.getByText('2 names copied, defanged').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.deepEqual(copied.split('\n'), ['shop-0[.]example', 'shop-100[.]example']);
    for (const name of ['Tag', 'Save']) {
      const button = page.getByRole('button', { name: new RegExp(`^${name}`) });
      assert.ok(await button.isDisabled(), name);
      assert.match((await button.getAttribute('title')) ?? '', /needs the permission triage/);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor({ state: 'detached' });
    assert.deepEqual(problems, []);
  });

  test('pages are accessible, and fit a phone', async (t) => {
    const all = ['/ui/search', ember, '/ui/search?server_type=shared-server%2F1', '/ui/ip/192.0.2.7'];
    for (const [width, dark] of [
      [1280, false],
      [390, true],
    ] as const) {
      const opened = await open(t, '/ui/search', { width, height: 844, dark });
      if (!opened) return;
      const { page, app, problems } = opened;
      for (const path of all) {
        await page.goto(app.url + path);
        await page.locator('h1').waitFor();
        await page.locator('.skeletons').first().waitFor({ state: 'detached' });
        assert.deepEqual(await axeViolations(page), [], `${path} at ${width}`);
        const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
        assert.equal(isWider, false, `${path} at ${width} does not scroll sideways`);
      }
      assert.deepEqual(problems, []);
    }
  });

  test('the menu of a value and the export are accessible', async (t) => {
    const opened = await open(t, ember);
    if (!opened) return;
    const { page } = opened;
    await page.getByRole('grid').focus();
    await page.keyboard.press('.');
    await page.getByRole('menu').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+E');
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await axeViolations(page), []);
  });
});
