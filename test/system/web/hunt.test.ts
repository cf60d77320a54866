/** From a pasted URL to a cluster and to an investigation with two branches, by keyboard and by mouse, each within its budget. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import { until } from '../../harness/browser/triage-desk.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import type { WebSession } from '../../harness/server/web-session.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());
const pasted = 'hxxps://cloudpantry-help[.]example/login';
const keysMax = 14;
const clicksMax = 9;

/** 17 domains with one analytics code: 12 of one registrar, 7 of these parked; 9 with one address in the SOA record, which 3 others have too. */
const records: readonly DomainRecord[] = Array.from({ length: 20 }, (_, index) => {
  const inCluster = index < 17;
  const parked = index >= 5 && index < 12;
  const host = parked ? 'ns1.parking.example' : 'ns1.velt.example';
  return {
    domain: index === 0 ? 'cloudpantry-help.example' : `kit-${index}.example`,
    registrar: index < 12 ? 'Ember & Ash' : 'Other Names',
    name_server: [{ host, domain: host.slice(4) }],
    domain_risk: { risk_score: inCluster ? 96 : 80, components: [] },
    ...(inCluster && { analytics_code: '7700123' }),
    ...((index < 5 || index > 12) && { soa_email: ['host@velt.example'] }),
  };
});

let filled: Promise<unknown> | undefined;
let hunters = 0;

async function hunter(t: TestContext): Promise<{ app: WebApp; me: WebSession } | undefined> {
  const app = await openApp(t);
  if (!app) return undefined;
  const seenMs = app.server.clock.now();
  filled ??= app.server.domains.upsert(records.map((record) => ({ record, source: 'test', seenMs })));
  await filled;
  const { person } = await app.account();
  return { app, me: await person(`hunter${++hunters}`) };
}

const countIs = (page: Page, count: number): Promise<void> =>
  until(page, async () => (await page.locator('h1 .count').allInnerTexts()).join() === String(count));

/** The palette with the pasted URL: here both budgets begin. */
async function paste(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.insertText(pasted);
  await page.getByRole('option', { name: 'Open the domain cloudpantry-help[.]example' }).waitFor();
}

/** What the server has of the investigation: its searches, each with the number of domains when it was saved. */
async function saved(me: WebSession) {
  const { json: list } = await me.call('GET /investigations');
  assert.equal(list.investigations.length, 1);
  const { json } = await me.call(`GET /investigations/${list.investigations[0].id}`);
  return { name: json.name, nodes: json.nodes };
}

async function isSaved(me: WebSession): Promise<void> {
  const { name, nodes } = await saved(me);
  assert.equal(name, 'Cloudpantry kit');
  assert.equal(nodes.length, 2);
  const [first, second] = nodes;
  assert.equal(second.parent_id, first.id, 'the second search is a branch of the first');
  assert.deepEqual(
    nodes.map(({ count_then }: { count_then: { domains: number } }) => count_then.domains),
    [5, 12],
  );
}

class Keyboard {
  pressed = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
      this.pressed += 1;
    }
  }
}

class Mouse {
  clicked = 0;

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicked += 1;
  }
}

describe('from one domain to an investigation', { concurrency: 1 }, () => {
  test('a second branch is saved with at most 14 keys after the paste, and no mouse', async (t) => {
    const given = await hunter(t);
    if (!given) return;
    const { app, me } = given;
    const { page, problems } = await app.open(t, me, '/ui/triage');
    const keyboard = new Keyboard(page);
    const focused = (name: string) =>
      until(page, async () => {
        const focus = page.locator(':focus');
        if ((await focus.count()) !== 1) return false;
        return ((await focus.getAttribute('aria-label')) ?? (await focus.innerText())) === name;
      });
    await paste(page);
    await keyboard.press('Enter');
    await page.getByRole('link', { name: '17 domains: 7700123' }).waitFor();
    await keyboard.press('j');
    await focused('17 domains: 7700123');
    await page.getByRole('tooltip').getByText('kit-1.example', { exact: true }).waitFor();
    await keyboard.press('Enter');
    await countIs(page, 17);
    await keyboard.press('f');
    await focused('Ember & Ash');
    await keyboard.press('+');
    await countIs(page, 12);
    await focused('Ember & Ash');
    await keyboard.press('ArrowDown');
    await focused('parking.example');
    await keyboard.press('-');
    await countIs(page, 5);
    await focused('velt.example');
    await keyboard.press('s');
    await page.locator('dialog input[data-first]:focus').waitFor();
    await page.keyboard.type('Cloudpantry kit');
    await keyboard.press('Enter');
    await until(page, async () => (await page.getByRole('dialog').count()) === 0);
    await focused('velt.example');
    await keyboard.press('ArrowDown');
    await focused('host@velt.example');
    await keyboard.press('>');
    await countIs(page, 12);
    await keyboard.press('s');
    await page.locator('dialog input[data-first]:focus').waitFor();
    await keyboard.press('Enter');
    await until(page, async () => (await page.getByRole('dialog').count()) === 0);
    assert.ok(keyboard.pressed <= keysMax, `${keyboard.pressed} keys`);
    await isSaved(me);
    assert.deepEqual(problems, []);
  });

  test('a second branch is saved with at most 9 clicks after the paste', async (t) => {
    const given = await hunter(t);
    if (!given) return;
    const { app, me } = given;
    const { page, problems } = await app.open(t, me, '/ui/triage');
    const mouse = new Mouse();
    await paste(page);
    await mouse.click(page.getByRole('option', { name: 'Open the domain cloudpantry-help[.]example' }));
    await mouse.click(page.getByRole('link', { name: '17 domains: 7700123' }));
    await countIs(page, 17);
    await mouse.click(page.getByRole('button', { name: /^Narrow.*Ember & Ash/ }));
    await countIs(page, 12);
    await mouse.click(page.getByRole('button', { name: /^Exclude.*parking\.example/ }));
    await countIs(page, 5);
    await mouse.click(page.getByRole('button', { name: /^Save/ }));
    await page.getByRole('textbox', { name: 'Name' }).fill('Cloudpantry kit');
    await page.keyboard.press('Enter');
    await until(page, async () => (await page.getByRole('dialog').count()) === 0);
    await mouse.click(
      page
        .locator('.search-facets')
        .getByRole('button', { name: /host@velt\.example/ })
        .first(),
    );
    await mouse.click(page.getByRole('menuitem', { name: /^Search for it/ }));
    await countIs(page, 12);
    await mouse.click(page.getByRole('button', { name: /^Save/ }));
    await mouse.click(page.getByRole('dialog').getByRole('button', { name: /^Add/ }));
    await until(page, async () => (await page.getByRole('dialog').count()) === 0);
    assert.ok(mouse.clicked <= clicksMax, `${mouse.clicked} clicks`);
    await isSaved(me);
    assert.deepEqual(problems, []);
  });
});
