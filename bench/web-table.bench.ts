/** The table of Search with many rows in a real browser: what the main thread computes for scrolling, and its longest task. */
import type { DomainRecord } from '../src/model/record/domain-record.ts';
import type { Bench } from './harness/benchmark.ts';
import {
  cost,
  inPage,
  longestTask,
  longestTaskResult,
  oneFrame,
  taskCategories,
  tasksResult,
} from './web/main-thread.ts';
import { openWebApp } from './web/open-web-app.ts';

const pageSize = 500;

const record = (index: number): DomainRecord => ({
  domain: `row-${index}.example`,
  registrar: 'Table & Sons',
  create_date: '2026-10-01',
  ip: [{ address: `192.0.2.${index % 200}`, country_code: 'de', isp: `Provider ${index % 9}` }],
  name_server: [{ host: `ns1.dns-${index % 50}.example` }, { host: `ns2.dns-${index % 50}.example` }],
  mx: [{ host: `mail.dns-${index % 50}.example` }],
  website_title: `Title of page ${index}`,
});

export const bench: Bench = async (context) => {
  const rows = context.sized({ tiny: 500, small: 2000, full: 10_000 });
  const frames = context.sized({ tiny: 10, small: 60, full: 60 });
  const app = await openWebApp(context);
  const seenMs = app.server.clock.now();
  for (let from = 0; from < rows; from += pageSize)
    await app.server.domains.upsert(
      Array.from({ length: pageSize }, (_, at) => ({ record: record(from + at), source: 'bench', seenMs })),
    );
  const { person } = await app.account();
  const path = `/ui/search?registrar=Table+%26+Sons&pages=${rows / pageSize}&facets=closed`;
  const { page, context: browser } = await app.open(context, await person('bench'), path);
  const debug = await browser.newCDPSession(page);
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  await inPage(debug, untilLoaded(rows));
  const nearby = scrolled('at * 900', frames);
  const across = scrolled(`at * (list.scrollHeight / ${frames})`, frames);
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
  await browser.browser()?.startTracing(page, { categories: taskCategories });
  await inPage(debug, nearby);
  await inPage(debug, across);
  const longest = longestTask((await browser.browser()?.stopTracing()) ?? Buffer.from('{"traceEvents":[]}'));
  const table = `table of ${rows.toLocaleString('en')} rows`;
  return [
    tasksResult(`${table}: ${frames} frames of scrolling nearby`, near),
    tasksResult(`${table}: ${frames} frames of scrolling across`, far),
    tasksResult(`${table}: ${frames} keys`, keys),
    longestTaskResult(`scrolling a ${table}`, longest, far),
  ];
};

const untilLoaded = (rows: number): string => `new Promise((done) => {
  const check = () => {
    const height = document.querySelector('.grid-rows')?.offsetHeight ?? 0;
    height >= ${rows} * 28 ? setTimeout(done, 1000) : setTimeout(check, 200);
  };
  check();
})`;

const scrolled = (top: string, frames: number): string => `(async () => {
  const list = document.querySelector('.grid-scroll');
  for (let at = 1; at <= ${frames}; at += 1) {
    list.scrollTop = ${top};
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
})()`;
