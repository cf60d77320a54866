/** Investigations in a real browser: one analyst by keyboard, two at once, and the graph with its table. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import type { WebSession } from '../../harness/server/web-session.ts';
import { fileScope } from '../../harness/test-scope.ts';

const start = appOf(fileScope());

const registrar = { parameters: { registrar: ['Ember & Ash'] } };

/** Thirty domains of one registrar: fifteen alike, the others with addresses in pairs. */
async function writeDomains({ server }: WebApp): Promise<void> {
  const seenMs = server.clock.now();
  const records = Array.from({ length: 30 }, (_, index) => ({
    domain: `parcel${index}.example`,
    registrar: 'Ember & Ash',
    ip: [{ address: index < 15 ? '192.0.2.1' : `198.51.100.${Math.floor(index / 2)}` }],
    ...(index % 2 === 0 && index >= 15 ? { name_server: [{ host: 'ns1.parking.example' }] } : {}),
  }));
  await server.domains.upsert(records.map((record) => ({ record, source: 'dns', seenMs })));
}

async function created(me: WebSession, more: object = {}): Promise<{ id: string; nodes: { id: string }[] }> {
  const body = { name: 'Parcel scam', sharing: 'add', node: { query: registrar, note: 'first' }, ...more };
  const { status, json, text } = await me.call('POST /investigations', { body });
  assert.equal(status, 200, text);
  return json;
}

const noWideScroll = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');

describe('investigations', { concurrency: 1 }, () => {
  test('a tree of searches is read and annotated with the keyboard alone, and every state is an address', async (t) => {
    const app = await start(t);
    if (!app) return;
    await writeDomains(app);
    const { person } = await app.account();
    const ann = await person('ann-tree');
    const { id, nodes } = await created(ann);
    const below = { query: { parameters: { ip: ['192.0.2.1'] } }, parent_id: nodes[0]?.id };
    await ann.call(`POST /investigations/${id}/nodes`, { body: below });
    const { page, problems } = await app.open(t, ann, '/ui/investigations');
    await page.getByRole('link', { name: 'Parcel scam' }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('link', { name: 'Parcel scam' }).focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('treeitem');
    await items.nth(1).waitFor();
    assert.match((await items.nth(0).textContent()) ?? '', /Ember & Ash.*30 domains.*first/);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/node=/);
    await page.getByRole('grid').getByText('parcel14.example').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Note' }).fill('Shared hosting?');
    await page.keyboard.press('Control+Enter');
    await items.nth(1).getByText('Shared hosting?').waitFor();
    await page.keyboard.press('*');
    await items.nth(1).getByLabel('starred').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('treeitem', { selected: true }).getByText('first').waitFor();
    await page.keyboard.press('ArrowLeft');
    await items.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('3');
    await page.waitForURL(/tab=findings/);
    await page.getByRole('textbox', { name: 'Value' }).fill('Ask the registrar');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Ask the registrar', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'Ask the registrar', exact: true }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });

  test('two analysts see each other’s changes; what touches nothing of the other is merged, and the same note is decided by the person', async (t) => {
    const app = await start(t);
    if (!app) return;
    await writeDomains(app);
    const { person } = await app.account();
    const [ann, bob] = [await person('ann-two'), await person('bob-two')];
    const { id, nodes } = await created(ann);
    const path = `/ui/investigations/${id}`;
    const { page } = await app.open(t, ann, path);
    const tree = page.getByRole('tree');
    await tree.getByText('first').waitFor();
    // Bob adds a search: it appears in Ann's tree without her doing anything.
    await bob.call(`POST /investigations/${id}/nodes`, {
      body: { query: { parameters: { ip: ['198.51.100.9'] } }, note: 'from bob' },
    });
    await tree.getByText('from bob').waitFor();
    // While Ann writes, Bob stars the same search: nothing of the note, so hers is saved.
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Note' }).fill('mine');
    const star = { headers: { 'if-match': '"2"' }, body: { star: true } };
    const node = nodes[0]?.id ?? '';
    assert.equal((await bob.call(`PATCH /investigations/${id}/nodes/${node}`, star)).status, 200);
    await page.getByRole('button', { name: 'Save' }).click();
    await tree.getByText('mine').waitFor();
    await tree.getByLabel('starred').waitFor();
    // Now both write the note.
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Note' }).fill('mine again');
    const note = { headers: { 'if-match': '*' }, body: { note: 'theirs' } };
    assert.equal((await bob.call(`PATCH /investigations/${id}/nodes/${node}`, note)).status, 200);
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('theirs').waitFor();
    assert.match((await alert.textContent()) ?? '', /bob-two has changed the same thing/);
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await tree.getByText('mine again').waitFor();
    const { json } = await ann.call(`GET /investigations/${id}`);
    assert.deepEqual([json.nodes[0].note, json.nodes[0].star, json.version], ['mine again', true, 6]);
    // What is made private is gone for Bob.
    const his = (await app.open(t, bob, path)).page;
    await his.getByRole('treeitem').first().waitFor();
    await ann.call(`PATCH /investigations/${id}`, {
      headers: { 'if-match': '*' },
      body: { sharing: 'private' },
    });
    await his.getByText('There is no such investigation').waitFor();
  });

  test('the graph and the table have one selection; groups, the switch and both files work', async (t) => {
    const app = await start(t);
    if (!app) return;
    await writeDomains(app);
    const { person } = await app.account();
    const ann = await person('ann-graph');
    const { id } = await created(ann);
    const { page, problems } = await app.open(t, ann, `/ui/investigations/${id}?tab=graph`, {
      height: 1200,
    });
    const canvas = page.locator('.graph-canvas');
    await canvas.locator('canvas').first().waitFor({ state: 'attached' });
    const grid = page.getByRole('grid', { name: 'Domains of the graph' });
    await grid.getByText('parcel0.example').waitFor();
    await page.getByText('30 domains, 9 shared values').waitFor();
    await page.getByLabel('CDN, parking and very common values').check();
    await page.getByText('30 domains, 10 shared values').waitFor();
    await page.waitForURL(/common=1/);
    await grid.focus();
    await page.keyboard.press('Space');
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor();
    await page.getByText('Finding a layout').waitFor({ state: 'detached' });
    const [gexf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'GEXF' }).click(),
    ]);
    const text = readFileSync(await gexf.path(), 'utf8');
    assert.equal(text.match(/<node /g)?.length, 15 + 1 + 10, 'fifteen alike are one node');
    assert.match(text, /<attvalue for="count" value="15"\/>/);
    await page.keyboard.press('Escape');
    // The canvas moves when the toolbar goes, and is drawn again at the next frame.
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor({ state: 'detached' });
    await page.evaluate(twoFrames);
    const at = pointOf(text, /<attvalue for="count" value="15"/, await canvas.boundingBox());
    await page.mouse.move(at.x, at.y);
    await page.evaluate(twoFrames);
    await page.mouse.click(at.x, at.y);
    await page.getByRole('toolbar', { name: '15 selected' }).waitFor();
    const rowOf = (name: string) => grid.getByRole('row', { name });
    assert.equal(await rowOf('parcel14.example').getAttribute('aria-selected'), 'true');
    assert.equal(await rowOf('parcel15.example').getAttribute('aria-selected'), 'false');
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).click(),
    ]);
    assert.deepEqual([...readFileSync(await png.path()).subarray(1, 4)], [0x50, 0x4e, 0x47]);
    await page.getByRole('button', { name: 'Lock the layout' }).click();
    await page.waitForURL(/lock=1/);
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });

  test('a browser that cannot draw graphs says so and shows the table, on a phone without wide scrolling', async (t) => {
    const app = await start(t);
    if (!app) return;
    await writeDomains(app);
    const { person } = await app.account();
    const ann = await person('ann-phone');
    const viewer = await person('viewer-phone', ['read']);
    const { id } = await created(ann);
    const { page, problems } = await app.open(t, viewer, `/ui/investigations/${id}?tab=graph`, {
      width: 390,
      height: 844,
      dark: true,
      prepare: async (given) => void (await given.addInitScript(withoutWebGl)),
    });
    await page.getByText('This browser cannot draw graphs').waitFor();
    await page.getByRole('grid', { name: 'Domains of the graph' }).getByText('parcel0.example').waitFor();
    assert.equal(await noWideScroll(page), true);
    assert.deepEqual(await axeViolations(page), []);
    for (const name of ['Name and sharing', 'Delete', /note/, /Star/, 'Remove'])
      assert.equal(await page.getByRole('button', { name }).first().isDisabled(), true, String(name));
    await page.goto(`${app.url}/ui/investigations`);
    await page.getByRole('link', { name: 'Parcel scam' }).waitFor();
    assert.equal(await noWideScroll(page), true);
    assert.deepEqual(await axeViolations(page), []);
    assert.equal(await page.getByRole('button', { name: 'New' }).isDisabled(), true);
    assert.deepEqual(problems, []);
  });
});

const withoutWebGl = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
  };
}`;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page. */
const twoFrames = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

/** Where a node of a GEXF file is on the screen: the graph fills its box, but for a margin. */
function pointOf(gexf: string, which: RegExp, box: Box | null): { readonly x: number; readonly y: number } {
  assert.ok(box);
  const nodes = [...gexf.matchAll(/<node .*?<viz:position x="(.*?)" y="(.*?)"\/>/g)].map(([all, x, y]) => ({
    isMeant: which.test(all),
    x: Number(x),
    y: Number(y),
  }));
  const found = nodes.find(({ isMeant }) => isMeant) ?? assert.fail('no such node');
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const size = Math.max(right - left, high - low);
  const ratios = [(high - low) / (right - left), box.height / box.width] as const;
  const larger = (ratio: number) => Math.max(ratio, 1 / ratio);
  const areAlike = ratios[0] > 1 === ratios[1] > 1;
  const stretch = areAlike ? Math.min(larger(ratios[0]), larger(ratios[1])) : 1;
  const scale = ((Math.min(box.width, box.height) - 2 * 30) * stretch) / size;
  return {
    x: box.x + box.width / 2 + (found.x - (left + right) / 2) * scale,
    y: box.y + box.height / 2 - (found.y - (low + high) / 2) * scale,
  };
}
