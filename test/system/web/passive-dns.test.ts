/** The Passive DNS page in a real browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import type { WebApp } from '../../harness/browser/web-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());
const daySeconds = 86_400;

let filled: Promise<void> | undefined;

function fill({ server }: WebApp): Promise<void> {
  const noon = (daysAgo: number) =>
    Math.floor(server.clock.now() / 1000 / daySeconds) * daySeconds - daysAgo * daySeconds + daySeconds / 2;
  const seen = (rrname: string, rrtype: string, rdata: string | string[], from: number, to: number) => ({
    rrname,
    rrtype,
    rdata,
    bailiwick: 'seen.example',
    time_first: noon(from),
    time_last: noon(to),
    count: from + 1,
  });
  filled ??= server.observe([
    seen('www.seen.example', 'A', '192.0.2.1', 20, 20),
    seen('www.seen.example', 'A', '192.0.2.1', 9, 9),
    seen('www.seen.example', 'A', '192.0.2.9', 6, 1),
    seen('mail.seen.example', 'MX', '10 mx.seen.example.', 200, 40),
    seen('txt.seen.example', 'TXT', '"<img src=x onerror=alert(1)>" "javascript:alert(1)"', 5, 5),
    {
      rrname: 'seen.example',
      rrtype: 'NS',
      rdata: ['ns1.seen.example.', 'ns2.seen.example.'],
      bailiwick: 'example',
      zone_time_first: noon(300),
      zone_time_last: noon(2),
    },
    ...Array.from({ length: 150 }, (_, n) => seen(`h${n}.many.example`, 'A', '198.51.100.7', 3, 2)),
  ]);
  return filled;
}

describe('passive DNS', { concurrency: 1 }, () => {
  test('a question is typed, understood, narrowed, and read page by page, all of it in the address', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    await fill(app);
    const ann = await (await app.account()).person('asker');
    const { page, problems } = await app.open(t, ann, '/ui/pdns');
    await page.getByRole('heading', { name: 'Which names had which records' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('*[.]seen[.]example');
    await page.keyboard.press('Enter');
    await page.getByText('Records of names at and below').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 5);
    assert.match(page.url(), /name=/);
    await page.getByLabel('Type').fill('ns');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.waitForURL(/type=NS/);
    await page.getByRole('cell', { name: 'zone file' }).waitFor();
    await page.goBack();
    await page.getByRole('cell', { name: 'resolvers' }).first().waitFor();
    await page.goto(`${app.url}/ui/pdns?name=198.51.100.7`);
    await page.getByText('More records exist').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 100);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByRole('link', { name: 'First page' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 50);
    await page.reload();
    await page.getByRole('link', { name: 'First page' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 50);
    assert.deepEqual(problems, []);
  });

  test('the timeline, the calendar with its table, the summary and the raw periods show the same records', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    await fill(app);
    const ann = await (await app.account()).person('viewer-of-times');
    const { page, problems } = await app.open(t, ann, '/ui/pdns?name=www.seen.example');
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.locator('.pdns-timeline li').first().waitFor();
    const widths = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.pdns-timeline .track')].map((track) => Math.round((track.firstElementChild.offsetWidth / track.offsetWidth) * 19))",
    );
    // Days of nineteen, newest first: 192.0.2.9 was seen for five, 192.0.2.1 for eleven.
    assert.deepEqual(widths, [5, 11]);
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByRole('img', { name: /^Seen on 4 days between/ }).waitFor();
    assert.equal(await page.locator('.heat-map rect > title').count(), 4);
    assert.equal(await page.locator('.heat-map circle').count(), 4);
    await page.getByRole('link', { name: 'Show as table' }).click();
    await page.waitForURL(/table=1/);
    await page.getByRole('link', { name: 'Show as calendar' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 8);
    await page.getByRole('link', { name: 'Summary' }).click();
    await page.locator('.pdns-figures').waitFor();
    assert.match(await page.locator('.pdns-figures').innerText(), /Records\s+2\s+Sightings\s+38/);
    await page.getByRole('link', { name: 'Records', exact: true }).click();
    await page.getByLabel('Each stored period by itself').check();
    await page.waitForURL(/raw=1/);
    await page.locator('tbody tr').nth(2).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 3);
    assert.match(
      await page.getByRole('region', { name: 'curl' }).innerText(),
      /lookup\/rrset\/name\/www\.seen\.example\?/,
    );
    assert.deepEqual(problems, []);
  });

  test('hostile data is drawn as text, and a question that cannot be asked says why', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    await fill(app);
    const ann = await (await app.account()).person('hostile-asker');
    const { page, problems } = await app.open(t, ann, '/ui/pdns?name=txt.seen.example');
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    assert.equal(await page.locator('img[onerror], a[href^="javascript:"]').count(), 0);
    await page.goto(`${app.url}/ui/pdns?name=${encodeURIComponent('<img src=x onerror=alert(1)>\u202etxt')}`);
    await page.getByRole('heading', { name: 'This cannot be asked' }).waitFor();
    const asked = `${app.url}/ui/pdns?view=calendar&name=${encodeURIComponent('/<svg onload=alert(1)>/')}`;
    await page.goto(asked);
    await page.getByText('must not be a glob or a regular expression').waitFor();
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('422')),
      [],
    );
  });

  for (const { width, dark } of [
    { width: 1280, dark: false },
    { width: 390, dark: true },
  ]) {
    test(`every view is accessible and fits at ${width} pixels`, async (t) => {
      const app = await openApp(t);
      if (!app) return;
      await fill(app);
      const ann = await (await app.account()).person(`pdns-axe-${width}`);
      const { page, problems } = await app.open(t, ann, '/ui/pdns', { width, dark });
      for (const query of [
        '',
        '?name=*.seen.example',
        '?name=*.seen.example&view=timeline',
        '?name=www.seen.example&view=calendar',
        '?name=www.seen.example&view=calendar&table=1',
        '?name=*.seen.example&view=summary',
      ]) {
        await page.goto(`${app.url}/ui/pdns${query}`);
        await page.locator(query === '' ? '.pdns-examples' : '.pdns-lines').waitFor();
        assert.deepEqual(await axeViolations(page), [], query);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(overflow <= 0, `${query} is ${overflow} pixels too wide`);
      }
      assert.deepEqual(problems, []);
    });
  }
});
