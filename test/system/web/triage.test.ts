/** Triage in a real browser, under the content security policy that it is served with. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { countOf, currentName, desks, showsCount, until } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

/** Presses keys one after the other and counts them; the mouse is never used. */
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

describe('Triage', { concurrency: 1 }, () => {
  test('60 lookalikes, 21 of them one cluster, are decided with at most 70 keys and no mouse', async (t) => {
    const desk = await openDesk(t, 60, { inCluster: 21 });
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/');
    const keyboard = new Keyboard(page);
    await showsCount(page, '60');
    await keyboard.press('o', 'c');
    await page.locator('.heading', { hasText: '21 share the name server ns1.fastpanel.example' }).waitFor();
    await keyboard.press('b');
    await showsCount(page, '39');
    for (let at = 0; at < 39; at += 1) await keyboard.press(at % 2 === 0 ? 'w' : 'i');
    await page.getByRole('heading', { name: 'Nothing left to decide' }).waitFor();
    assert.ok(keyboard.pressed <= 70, `${keyboard.pressed} keys`);
    await until(page, async () => (await desk.lists()).new === 0);
    assert.deepEqual(await desk.lists(), { new: 0, changed: 0, watched: 21 + 20, ignored: 19, blocked: 21 });
    assert.deepEqual(problems, []);
  });

  test('undo puts the domain back under the cursor and into the list of the server', async (t) => {
    const desk = await openDesk(t, 5);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '5');
    await page.keyboard.press('j');
    const name = await currentName(page);
    await page.keyboard.press('i');
    await showsCount(page, '4');
    assert.notEqual(await currentName(page), name);
    await page.keyboard.press('u');
    await showsCount(page, '5');
    await until(page, async () => (await currentName(page)) === name);
    await until(page, async () => (await desk.lists()).new === 5);
    assert.deepEqual(problems, []);
  });

  test('a decision is undone later, from the list of recent decisions', async (t) => {
    const desk = await openDesk(t, 3);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '3');
    await page.keyboard.press('*');
    await page.keyboard.press('w');
    await page.getByRole('button', { name: 'Watch 3' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing left to decide' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Nothing left to decide' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('undone by').waitFor();
    assert.equal((await desk.lists()).new, 3);
    assert.deepEqual(problems, []);
  });

  test('Back closes the card, and a reload shows the same view', async (t) => {
    const desk = await openDesk(t, 30);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage?class=omission');
    await showsCount(page, '10');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const name = await currentName(page);
    await page.keyboard.press('o');
    await page.locator('.card').waitFor();
    await page.waitForURL(/card=1/);
    await page.reload();
    await page.locator('.card').waitFor();
    assert.equal(await currentName(page), name);
    assert.equal(await countOf(page), '10');
    await page.goBack();
    await page.locator('.card').waitFor({ state: 'detached' });
    assert.match(page.url(), /class=omission/);
    assert.deepEqual(problems, []);
  });

  test('the list is grouped by cluster, and the rest of the keys tag, save, assign and open the operations', async (t) => {
    const desk = await openDesk(t, 6, { inCluster: 3 });
    if (!desk) return;
    const bob = await desk.colleague();
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '6');
    await page.keyboard.press('Shift+C');
    await page.getByText('3 share the name server ns1.fastpanel.example').waitFor();
    await page.getByText('The other 3').waitFor();
    await page.waitForURL(/group=cluster/);
    await page.reload();
    await page.getByText('3 share the name server ns1.fastpanel.example').waitFor();
    await page.keyboard.press('.');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    const saving = page.getByRole('dialog');
    await saving.getByText(desk.names[0] ?? '').waitFor();
    await page.keyboard.press('Escape');
    await saving.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    const assigning = page.getByRole('dialog', { name: 'Assign' });
    await assigning.locator(`option[value="${bob.person.name}"]`).waitFor({ state: 'attached' });
    await page.keyboard.type(bob.person.name);
    await page.keyboard.press('Enter');
    await page.locator('.row.at .assignee', { hasText: bob.person.name }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });

  test('a colleague’s decision is shown on the row before it goes, and arrivals wait behind a button', async (t) => {
    const desk = await openDesk(t, 4);
    if (!desk) return;
    const bob = await desk.colleague();
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '4');
    const name = await currentName(page);
    const { domains } = (await bob.call('GET /detect/domains?list=new')).json;
    const body = { ids: [domains[2].id], to: 'watched' };
    assert.equal((await bob.call('POST /detect/decisions', { body })).status, 200);
    await page.locator('.row.fading', { hasText: bob.person.name }).waitFor();
    await showsCount(page, '3');
    await desk.fill(6);
    await page.getByRole('button', { name: /^\d+ new/ }).waitFor();
    assert.equal(await currentName(page), name);
    assert.equal(await countOf(page), '3');
    await page.keyboard.press('n');
    await until(page, async () => Number(await countOf(page)) > 3);
    assert.deepEqual(problems, []);
  });

  test('undoing after a colleague has decided changes nothing and names the colleague', async (t) => {
    const desk = await openDesk(t, 2);
    if (!desk) return;
    const bob = await desk.colleague();
    const { page } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '2');
    const { domains } = (await bob.call('GET /detect/domains?list=new')).json;
    await page.keyboard.press('w');
    await until(page, async () => (await desk.lists()).watched === 1);
    const body = { ids: [domains[0].id], to: 'ignored' };
    assert.equal((await bob.call('POST /detect/decisions', { body })).status, 200);
    await page.keyboard.press('u');
    await page.getByRole('alert').filter({ hasText: bob.person.name }).waitFor();
    assert.deepEqual(await desk.lists(), { new: 1, changed: 0, watched: 0, ignored: 1, blocked: 0 });
  });

  test('an ended session asks to sign in over the page, and what was decided meanwhile is sent afterwards', async (t) => {
    const desk = await openDesk(t, 3);
    if (!desk) return;
    const password = 'correct horse battery';
    const set = await desk.ann.call('PUT /me/password', { body: { password } });
    const cookie = set.headers['set-cookie']?.split(';')[0] ?? '';
    // Without the stream of events, which would notice first.
    const prepare = (page: Page) =>
      page.route('**/ui/api/events', (route) => route.fulfill({ status: 204 })).then(() => undefined);
    const { page } = await desk.app.open(t, undefined, '/ui/triage?sort=name', { prepare });
    await page.getByLabel('Name', { exact: true }).fill(desk.ann.person.name);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await showsCount(page, '3');
    assert.match(page.url(), /triage\?sort=name/);
    // A request of the page itself would open the dialog before the key is pressed.
    await page.waitForLoadState('networkidle');
    assert.equal((await desk.ann.call('DELETE /sessions', { headers: { cookie } })).status, 200);
    await page.keyboard.press('w');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    assert.equal(await countOf(page), '2');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(page, async () => (await page.locator('.tabs a[title="1 in all"]').count()) === 1);
  });

  for (const [name, width, dark] of [
    ['at 1280 px in light colours', 1280, false],
    ['at 1280 px in dark colours', 1280, true],
    ['at 390 px in light colours', 390, false],
    ['at 390 px in dark colours', 390, true],
  ] as const) {
    test(`list, card, screenshots, facets, help and palette have no accessibility violation ${name}`, async (t) => {
      const desk = await openDesk(t, 12, { inCluster: 3 });
      if (!desk) return;
      const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage', { width, dark });
      const check = async (what: string) => {
        assert.deepEqual(await axeViolations(page), [], what);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.equal(overflow, 0, `${what}: no horizontal scrolling`);
      };
      await showsCount(page, '12');
      await check('list');
      await page.keyboard.press('o');
      await page.locator('.card .reasons, .card .pale').first().waitFor();
      await check('card');
      await page.keyboard.press('o');
      await page.keyboard.press('v');
      await page.locator('.tile').first().waitFor();
      await check('screenshots');
      await page.keyboard.press('v');
      await page.keyboard.press('f');
      await page.locator('.drawer .choice b').first().waitFor();
      await check('facets');
      await page.keyboard.press('f');
      await page.keyboard.press('c');
      await page.locator('.heading').first().waitFor();
      await check('cluster');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await check('help');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page
        .getByRole('combobox', { name: 'Type a command' })
        .fill('hxxps://cloudpantry-1[.]example/login');
      await check('palette');
      assert.deepEqual(problems, []);
    });
  }

  test('hostile text in a record is drawn as text, in its own order', async (t) => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
      'pay\u202elap.test',
      'pay\u200bpal\u2066x',
      '\0null\ud800',
      'x'.repeat(200_000),
    ];
    const desk = await openDesk(t, hostile.length, {
      record: (index) => {
        const text = hostile[index] ?? '';
        return { registrar: text, website_title: text, server_type: text };
      },
    });
    if (!desk) return;
    const { names } = desk;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage?card=1');
    await showsCount(page, String(names.length));
    for (const [index] of names.entries()) {
      await page.locator(`.row[aria-posinset="${index + 1}"].at`).waitFor();
      await page.locator('.card .shared, .card .pale').first().waitFor();
      await page.keyboard.press('j');
    }
    const drawn = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.cell-registrar')].map((cell) => cell.textContent)",
    );
    assert.ok(drawn.includes('<img src=x onerror=alert(1)>'), drawn.join('\n').slice(0, 500));
    assert.ok(drawn.includes('payU+202Elap.test'));
    assert.ok(drawn.every((text) => text.length <= 2100));
    assert.equal(await page.locator('.row img, .row svg[onload], .card img').count(), 0);
    assert.deepEqual(problems, []);
  });
});
