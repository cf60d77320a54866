/** The page of one domain in a real browser: how one comes to it, and through its time. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import sharp from 'sharp';
import { minuteMs } from '../../../src/model/durations.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { axeViolations } from '../../harness/browser/axe.ts';
import { desks, showsCount } from '../../harness/browser/triage-desk.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

async function write(app: WebApp, record: DomainRecord, seenMs: number): Promise<void> {
  await app.server.domains.upsert([{ record, source: 'whois', seenMs }]);
}

async function capture(app: WebApp, domain: string, shade: number, atMs: number): Promise<void> {
  const pixels = Buffer.alloc(200 * 300 * 3, shade);
  const bytes = await sharp(pixels, { raw: { width: 200, height: 300, channels: 3 } })
    .png()
    .toBuffer();
  const pixelHash = createHash('sha256').update(pixels).digest('hex');
  await app.server.images.saveCapture({
    domain,
    atMs,
    url: `http://${domain}`,
    ipAddress: '192.0.2.7',
    image: { bytes, mimetype: 'image/png', width: 200, height: 300, pixelHash },
  });
}

describe('the page of a domain', { concurrency: 1 }, () => {
  test('it opens from the card and by key, and Back returns to the same row', async (t) => {
    const desk = await openDesk(t, 5);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '5');
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await page.locator('.card').getByRole('link', { name: 'Open the page of the domain' }).click();
    await page.waitForURL(`**/ui/domain/${desk.names[1]}`);
    await page.goBack();
    await page.locator('.card').waitFor();
    assert.match(await page.locator('.row.at .name').innerText(), new RegExp(`${desk.names[1]}`));
    await page.keyboard.press('Shift+O');
    await page.waitForURL(`**/ui/domain/${desk.names[1]}`);
    assert.deepEqual(problems, []);
  });

  test('a page that loads slowly is not left for Triage again, whose cursor has just moved', async (t) => {
    const desk = await openDesk(t, 5);
    if (!desk) return;
    const { page } = await desk.app.open(t, desk.ann, '/ui/triage?tab=record');
    await showsCount(page, '5');
    assert.equal(await page.getByText('record', { exact: true }).count(), 0);
    await page.route('**/assets/domain-*.js', async (route) => {
      await page.waitForTimeout(1500);
      await route.continue();
    });
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+O');
    await page.locator('.domain-page').waitFor();
    assert.match(page.url(), new RegExp(`/ui/domain/${desk.names[1]}$`));
  });

  test('a defanged URL that is pasted into the palette opens its domain with Enter', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/monitors');
    await page.getByRole('heading', { name: 'Monitors' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.insertText('hxxps://cloudpantry-0[.]example/login');
    await page.getByRole('option', { name: 'Open the domain cloudpantry-0[.]example' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/domain/cloudpantry-0.example');
    await page.locator('.facts').waitFor();
    assert.deepEqual(problems, []);
  });

  test('history shows what differs, the slider goes back to before it, and both survive a reload', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const { app } = desk;
    const nowMs = app.server.clock.now();
    const domain = 'timeline.example';
    await write(
      app,
      { domain, registrar: 'Ember & Ash', ip: [{ address: '192.0.2.1' }] },
      nowMs - 3 * minuteMs,
    );
    await write(
      app,
      { domain, registrar: 'Other Names', ip: [{ address: '192.0.2.1' }] },
      nowMs - 2 * minuteMs,
    );
    await write(app, { domain, registrar: 'Other Names', ip: [{ address: '192.0.2.9' }] }, nowMs - minuteMs);
    const { page, problems } = await app.open(t, desk.ann, `/ui/domain/${domain}`);
    await page.locator('.facts').waitFor();
    await page.keyboard.press('3');
    await page.waitForURL(/tab=history/);
    const change = page.locator('.moments > li', { hasText: 'Registrar' }).first();
    assert.equal((await change.locator('del').innerText()).replaceAll(/\s/g, ' '), 'Ember & Ash');
    assert.equal(await change.locator('ins').innerText(), 'Other Names');
    await page.getByRole('link', { name: 'Record' }).click();
    const slider = page.getByRole('slider', { name: 'As of' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.waitForURL(/as_of=/);
    await page.locator('.record', { hasText: 'Ember & Ash' }).waitFor();
    await page.reload();
    await page.locator('.record', { hasText: 'Ember & Ash' }).waitFor();
    await page.getByRole('button', { name: 'Now' }).click();
    await page.locator('.record', { hasText: '192.0.2.9' }).waitFor();
    await page.goBack();
    await page.waitForURL(/tab=history/);
    assert.deepEqual(problems, []);
  });

  test('the slider begins at the first sighting, also while the record is still being read', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const { app } = desk;
    const firstMs = app.server.clock.now() - 3 * minuteMs;
    const domain = 'slow-record.example';
    await write(app, { domain, registrar: 'Ember & Ash' }, firstMs);
    await write(app, { domain, registrar: 'Other Names' }, firstMs + minuteMs);
    const released = Promise.withResolvers<void>();
    const { page, problems } = await app.open(t, desk.ann, `/ui/domain/${domain}?tab=record`, {
      prepare: async (opened) =>
        void (await opened.route('**/record*', async (route) => {
          await released.promise;
          await route.continue();
        })),
    });
    await page.getByRole('slider', { name: 'As of' }).focus();
    await page.keyboard.press('Home');
    await page.waitForURL(/as_of=/);
    assert.equal(new URL(page.url()).searchParams.get('as_of'), new Date(firstMs).toISOString());
    released.resolve();
    await page.locator('.record', { hasText: 'Ember & Ash' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('two captures are compared by a slider, and the choice is in the address', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const domain = 'pictured.example';
    const nowMs = desk.app.server.clock.now();
    await write(desk.app, { domain }, nowMs);
    await capture(desk.app, domain, 10, nowMs - 2 * minuteMs);
    await capture(desk.app, domain, 200, nowMs - minuteMs);
    const { page, problems } = await desk.app.open(t, desk.ann, `/ui/domain/${domain}?tab=pictures`);
    await page.getByLabel('compared with').selectOption({ index: 1 });
    await page.waitForURL(/with=/);
    await page.reload();
    const slider = page.getByRole('slider', { name: 'How much of the first picture is shown' });
    await slider.focus();
    await page.keyboard.press('End');
    const drawn = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.frames img')].map((image) => image.naturalWidth)",
    );
    assert.equal(drawn.length, 2);
    assert.deepEqual(problems, []);
  });

  test('a capture is compared with the page of a domain of one’s own', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const nowMs = desk.app.server.clock.now();
    for (const [domain, shade] of [
      ['copied.example', 10],
      ['original.example', 90],
    ] as const) {
      await write(desk.app, { domain }, nowMs);
      await capture(desk.app, domain, shade, nowMs - minuteMs);
    }
    await desk.ann.call('POST /own-domains', { body: { add: ['original.example', 'unpictured.example'] } });
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/domain/copied.example?tab=pictures');
    const choice = page.getByLabel('compared with');
    await choice.selectOption({ label: 'your original.example' });
    await page.waitForURL(/with=own%3Aoriginal\.example/);
    await page.locator('.frames img.behind').waitFor();
    const source = await page.locator('.frames img.behind').getAttribute('src');
    assert.match(source ?? '', /original\.example|\/pictures?\//);
    assert.equal(await page.locator('.frames img').count(), 2);
    await choice.selectOption({ label: 'your unpictured.example' });
    await page.getByText('There is no picture of your domain yet.').waitFor();
    assert.equal(await page.locator('.frames img').count(), 1);
    assert.deepEqual(problems, []);
  });

  test('answers that are not whole say so', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const domain = 'partial.example';
    await write(desk.app, { domain, server_type: 'partial/1' }, desk.app.server.clock.now());
    const partly = (changes: object) => async (route: Route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...changes } });
    };
    const row = {
      rrname: domain,
      rrtype: 'A',
      rdata: ['192.0.2.1'],
      count: 1,
      first: '2026-03-01T00:00:00.000Z',
      last: '2026-03-02T00:00:00.000Z',
      origin: 'sensor',
    };
    const { page, problems } = await desk.app.open(t, desk.ann, `/ui/domain/${domain}?tab=record`, {
      prepare: async (opened) => {
        await opened.route('**/record*', partly({ complete: false }));
        await opened.route('**/pictures', partly({ more: true }));
        await opened.route('**/pdns', (route) =>
          route.fulfill({ json: { names: { rows: [row], more: true }, data: { rows: [], more: false } } }),
        );
      },
    });
    await page.getByText('choose a later time').waitFor();
    await page.keyboard.press('4');
    await page.getByText('There are more captures than are listed.').waitFor();
    await page.keyboard.press('5');
    await page.getByText('There are more records than are shown').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });

  test('a shared value leads to the other domain, and Back comes home', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const nowMs = desk.app.server.clock.now();
    for (const domain of ['pivot-one.example', 'pivot-two.example'])
      await write(desk.app, { domain, server_type: 'pivoted-server/1' }, nowMs);
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/domain/pivot-one.example');
    await page.locator('.pivots').getByRole('link', { name: 'pivot-two.example' }).click();
    await page.getByRole('heading', { name: 'pivot-two.example' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'pivot-one.example' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('a name of which nothing is known has a page that says so', async (t) => {
    const desk = await openDesk(t, 0);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/domain/never-seen.example');
    await page.getByText('There is no record yet').first().waitFor();
    await page.getByRole('button', { name: 'Examine now' }).waitFor();
    assert.deepEqual(problems, []);
  });
});
