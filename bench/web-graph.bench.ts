/**
 * The graph of an investigation with up to 2,000 nodes in a real browser: what the main thread computes until the layout is there, and for selecting.
 * The layout itself is computed in a thread of its own. WebGL is drawn by the processor here, in another process.
 */
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

/** Each shares values with a few others, so that nothing becomes a group and all 2,000 nodes are drawn. */
const record = (index: number): DomainRecord =>
  ({
    domain: `node-${index}.example`,
    registrar: 'Graph & Sons',
    domain_risk: { risk_score: index % 100 },
    ip: [{ address: `198.51.${Math.floor((index % 250) / 250)}.${index % 250}` }],
    name_server: [{ host: `ns${index % 249}.graph.example` }],
  }) as unknown as DomainRecord;

export const bench: Bench = async (context) => {
  const domains = context.sized({ tiny: 100, small: 500, full: 1500 });
  const selections = context.sized({ tiny: 5, small: 20, full: 20 });
  const app = await openWebApp(context);
  const seenMs = app.server.clock.now();
  const records = Array.from({ length: domains }, (_, index) => record(index));
  await app.server.domains.upsert(records.map((one) => ({ record: one, source: 'bench', seenMs })));
  const { person } = await app.account();
  const me = await person('bench');
  const query = { parameters: { registrar: ['Graph & Sons'] } };
  const { json } = await me.call('POST /investigations', { body: { name: 'Bench', node: { query } } });
  const { page, context: browser } = await app.open(context, me, `/ui/investigations/${json.id}`);
  await page.getByRole('grid').getByText('node-0.example').waitFor();
  const debug = await browser.newCDPSession(page);
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  await browser.browser()?.startTracing(page, { categories: taskCategories });
  const laying = await cost(debug, async () => {
    await page.keyboard.press('2');
    await inPage(debug, untilLaidOut);
  });
  const longest = longestTask((await browser.browser()?.stopTracing()) ?? Buffer.from('{"traceEvents":[]}'));
  const selecting = await cost(debug, async () => {
    await page.getByRole('grid').focus();
    for (let at = 0; at < selections; at += 1) {
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await inPage(debug, oneFrame);
    }
  });
  const graph = `graph of ${domains.toLocaleString('en')} domains`;
  return [
    tasksResult(`${graph}: until it is laid out`, laying),
    tasksResult(`${graph}: ${selections} selections`, selecting),
    longestTaskResult(`laying out a ${graph}`, longest, laying),
  ];
};

/** The page says while it has no layout yet. */
const untilLaidOut = `new Promise((done) => {
  let began = false;
  const check = () => {
    const text = document.querySelector('.graph-state')?.textContent ?? '';
    began ||= text !== '';
    began && text === '' ? setTimeout(done, 500) : setTimeout(check, 100);
  };
  check();
})`;
