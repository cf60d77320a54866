/** The table of Search with 10,000 rows in a real browser: what the main thread computes for scrolling, and its longest task. */
import type { DomainRecord } from '../src/model/record/domain-record.ts';
import { webApp } from '../test/harness/browser/web-app.ts';
import { want } from './want.ts';
import { cost, inPage, longestTask, oneFrame, taskCategories } from './web/main-thread.ts';

const rows = 10_000;
const pageSize = 500;
const frames = 60;
/** Milliseconds: what a person does not notice. */
const longestMs = 100;

const record = (index: number): DomainRecord => ({
  domain: `row-${index}.example`,
  registrar: 'Table & Sons',
  create_date: '2026-10-01',
  ip: [{ address: `192.0.2.${index % 200}`, country_code: 'de', isp: `Provider ${index % 9}` }],
  name_server: [{ host: `ns1.dns-${index % 50}.example` }, { host: `ns2.dns-${index % 50}.example` }],
  mx: [{ host: `mail.dns-${index % 50}.example` }],
  website_title: `Title of page ${index}`,
});

export async function bench(): Promise<void> {
  const cleanUps: (() => unknown)[] = [];
  try {
    const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    const app = await webApp(scope);
    const seenMs = app.server.clock.now();
    for (let from = 0; from < rows; from += pageSize)
      await app.server.domains.upsert(
        Array.from({ length: pageSize }, (_, at) => ({ record: record(from + at), source: 'bench', seenMs })),
      );
    const { person } = await app.account();
    const path = `/ui/search?registrar=Table+%26+Sons&pages=${rows / pageSize}&facets=closed`;
    const { page, context } = await app.open(scope, await person('bench'), path);
    const debug = await context.newCDPSession(page);
    await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
    await inPage(debug, untilLoaded);
    const [nearby, across] = [scrolled('at * 900'), scrolled(`at * (list.scrollHeight / ${frames})`)];
    const near = await cost(debug, () => inPage(debug, nearby));
    const far = await cost(debug, () => inPage(debug, across));
    const keys = await cost(debug, async () => {
      await page.getByRole('grid').focus();
      for (let at = 0; at < frames; at += 1) {
        await page.keyboard.press('ArrowUp');
        await inPage(debug, oneFrame);
      }
    });
    // Once more, because tracing takes time of its own.
    await context.browser()?.startTracing(page, { categories: taskCategories });
    await inPage(debug, nearby);
    await inPage(debug, across);
    const longest = longestTask(
      (await context.browser()?.stopTracing()) ?? Buffer.from('{"traceEvents":[]}'),
    );
    const shown = await page.locator('.grid-row').count();
    for (const [what, { script, layout, tasks }] of Object.entries({ near, far, keys }))
      console.log(
        `${frames} × ${what}: ${Math.round(script)} ms script, ${Math.round(layout)} ms layout, ${Math.round(tasks)} ms in all`,
      );
    console.log(`heap ${Math.round(keys.heap / 1e6)} MB, ${shown} of ${rows} rows in the document`);
    want('longest task, CPU ms', longest, '<=', longestMs);
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

const untilLoaded = `new Promise((done) => {
  const check = () => {
    const height = document.querySelector('.grid-rows')?.offsetHeight ?? 0;
    height >= ${rows} * 28 ? setTimeout(done, 1000) : setTimeout(check, 200);
  };
  check();
})`;

const scrolled = (top: string): string => `(async () => {
  const list = document.querySelector('.grid-scroll');
  for (let at = 1; at <= ${frames}; at += 1) {
    list.scrollTop = ${top};
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
})()`;
