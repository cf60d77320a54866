/**
 * The graph of an investigation with 2,000 nodes in a real browser: what the main thread computes until the layout is there, and for selecting.
 * The layout itself is computed in a thread of its own. WebGL is drawn by the processor here, in another process.
 */
import type { DomainRecord } from '../src/model/record/domain-record.ts';
import { webApp } from '../test/harness/browser/web-app.ts';
import { want } from './want.ts';
import { cost, inPage, longestTask, oneFrame, taskCategories } from './web/main-thread.ts';

const domains = 1500;
const selections = 20;
/** Milliseconds: what a person does not notice. */
const longestMs = 100;

/** Each shares values with a few others, so that nothing becomes a group and all 2,000 nodes are drawn. */
const record = (index: number): DomainRecord =>
  ({
    domain: `node-${index}.example`,
    registrar: 'Graph & Sons',
    domain_risk: { risk_score: index % 100 },
    ip: [{ address: `198.51.${Math.floor((index % 250) / 250)}.${index % 250}` }],
    name_server: [{ host: `ns${index % 249}.graph.example` }],
  }) as unknown as DomainRecord;

export async function bench(): Promise<void> {
  const cleanUps: (() => unknown)[] = [];
  try {
    const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    const app = await webApp(scope);
    const seenMs = app.server.clock.now();
    const records = Array.from({ length: domains }, (_, index) => record(index));
    await app.server.domains.upsert(records.map((one) => ({ record: one, source: 'bench', seenMs })));
    const { person } = await app.account();
    const me = await person('bench');
    const query = { parameters: { registrar: ['Graph & Sons'] } };
    const { json } = await me.call('POST /investigations', { body: { name: 'Bench', node: { query } } });
    const { page, context } = await app.open(scope, me, `/ui/investigations/${json.id}`);
    await page.getByRole('grid').getByText('node-0.example').waitFor();
    const debug = await context.newCDPSession(page);
    await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
    await context.browser()?.startTracing(page, { categories: taskCategories });
    const laying = await cost(debug, async () => {
      await page.keyboard.press('2');
      await inPage(debug, untilLaidOut);
    });
    const longest = longestTask(
      (await context.browser()?.stopTracing()) ?? Buffer.from('{"traceEvents":[]}'),
    );
    const selecting = await cost(debug, async () => {
      await page.getByRole('grid').focus();
      for (let at = 0; at < selections; at += 1) {
        await page.keyboard.press('Space');
        await page.keyboard.press('ArrowDown');
        await inPage(debug, oneFrame);
      }
    });
    const text = await page.locator('.graph-tools > span').first().textContent();
    for (const [what, { script, layout, tasks }] of Object.entries({ laying, selecting }))
      console.log(
        `${what}: ${Math.round(script)} ms script, ${Math.round(layout)} ms layout, ${Math.round(tasks)} ms in all`,
      );
    console.log(`${text}; heap ${Math.round(selecting.heap / 1e6)} MB`);
    want('longest task, CPU ms', longest, '<=', longestMs);
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

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
