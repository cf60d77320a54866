/** The report in a real browser, as somebody who owns a brand opens it from a link (journey J5). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { axeViolations } from '../../harness/browser/axe.ts';
import { desks } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

describe('the report', { concurrency: 1 }, () => {
  test('J5 a link shows one page with what was found and blocked, which prints and changes its month', async (t) => {
    const desk = await openDesk(t, 6);
    if (!desk) return;
    const { app, ann } = desk;
    const lists = await ann.call('GET /detect/domains?list=new');
    const ids = lists.json.domains.slice(0, 2).map(({ id }: { id: string }) => id);
    await ann.call('POST /detect/decisions', { body: { ids, to: 'blocked' } });
    const month = new Date(app.server.clock.now()).toISOString().slice(0, 7);
    const { page, problems } = await app.open(t, ann, `/ui/report?from=${month}-01`);
    await page.locator('.figures').waitFor();
    const figures = await page.locator('.figures').innerText();
    assert.match(figures, /Found\s+6/);
    assert.match(figures, /Blocked\s+2/);
    assert.match(figures, /Still open\s+4/);
    assert.equal(await page.locator('.report-wall > li').count(), 2);
    assert.deepEqual(await axeViolations(page), []);
    await page.getByLabel('Period').selectOption({ label: 'Last 30 days' });
    await page.waitForURL(/report$/);
    await page.goBack();
    await page.waitForURL(/from=/);
    await page.reload();
    await page.locator('.figures').waitFor();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.rail').isVisible(), false);
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 800 });
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });
});
