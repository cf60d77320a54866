/**
 * The web UI in a real browser before 5,000 lookalikes: what it has to load, and what the main thread of the page computes for loading,
 * moving and scrolling. CPU time of that thread stays true on a busy machine; LCP and INP are wall-clock times and printed for a quiet one.
 * The peer is the prototype that the app was designed with: its figures, on the same rows, are the bounds.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { budget } from '../scripts/web-budget.ts';
import { fillWatchlist } from '../test/harness/browser/fill-watchlist.ts';
import { webApp } from '../test/harness/browser/web-app.ts';
import { want } from './want.ts';
import { cost, inPage, oneFrame } from './web/main-thread.ts';

const rows = 5000;
const steps = 60;
const scrollPixels = 900;
/** Milliseconds of the prototype at 5,000 rows: script and all tasks of loading, script of 60 keys, script and layout of 60 frames. */
const prototype = { load: 127, loadTasks: 417, keys: 304, scroll: 638, scrollLayout: 816 } as const;

const dist = join(import.meta.dirname, '../web/dist');

export async function bench(): Promise<void> {
  measureFiles();
  const cleanUps: (() => unknown)[] = [];
  try {
    const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    const app = await webApp(scope);
    const { accountId, person } = await app.account();
    await fillWatchlist(app.server, accountId, rows);
    const ann = await person('bench');
    // Once before, so that no file is read and nothing compiled for the first time.
    await (await app.open(scope, ann, '/ui/triage')).page.locator('.row').first().waitFor();
    const { page, context } = await app.open(scope, ann, '/ui/enter', {
      prepare: async (given) => void (await given.addInitScript(observePaints)),
    });
    await measurePage(page, await context.newCDPSession(page), app.url);
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

/** Sizes as they are sent, gzipped. */
function measureFiles(): void {
  const index = readFileSync(join(dist, 'index.html'), 'utf8');
  const initial = new Set(
    [...index.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file),
  );
  const assets = readdirSync(join(dist, 'assets')).map((file) => `assets/${file}`);
  const sizeOf = (file: string) => statSync(join(dist, `${file}.gz`)).size / 1000;
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0);
  const lazy = assets.filter((file) => file.endsWith('.js') && !initial.has(file));
  want('initial JavaScript, kB', sum(initial), '<=', budget.initialScript / 1000);
  want('largest other script, kB', Math.max(...lazy.map(sizeOf)), '<=', budget.lazyRoute / 1000);
  const styles = [...index.matchAll(/href="\/ui\/(assets\/[^"]+\.css)"/g)].map(([, file = '']) => file);
  want('initial style sheets, kB', sum(styles), '<=', budget.initialStyles / 1000);
}

async function measurePage(page: Page, debug: CDPSession, url: string): Promise<void> {
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  const loading = await cost(debug, async () => {
    await page.goto(`${url}/ui/triage`);
    await inPage(debug, untilDrawn);
  });
  want(`load before ${rows} rows, script ms`, loading.script, '<=', prototype.load);
  want(`load before ${rows} rows, all tasks ms`, loading.tasks, '<=', prototype.loadTasks);
  const moving = await cost(debug, async () => {
    for (let at = 0; at < steps; at += 1) {
      await page.keyboard.press('j');
      await inPage(debug, oneFrame);
    }
  });
  want(`${steps} × j, script ms`, moving.script, '<=', prototype.keys);
  // All rows are loaded first: then scrolling is drawing alone.
  await loadAll(page, debug);
  const scrolling = await cost(debug, () => inPage(debug, scrolled));
  want(`${steps} frames of ${scrollPixels} px, script ms`, scrolling.script, '<=', prototype.scroll);
  want(`${steps} frames of ${scrollPixels} px, layout ms`, scrolling.layout, '<=', prototype.scrollLayout);
  const { largest, slowest } = await page.evaluate<{ largest: number; slowest: number }>('globalThis.paints');
  const drawn = await page.locator('.row').count();
  console.log(
    `LCP ${Math.round(largest)} ms, INP ${Math.round(slowest)} ms, heap ${Math.round(scrolling.heap / 1e6)} MB, ${drawn} rows in the document`,
  );
}

const untilDrawn = `new Promise((done) => {
  const check = () => (document.querySelector('.row.at') ? setTimeout(done, 1000) : setTimeout(check, 50));
  check();
})`;
const scrolled = `(async () => {
  const list = document.querySelector('[role=listbox]');
  for (let at = 1; at <= ${steps}; at += 1) {
    list.scrollTop = at * ${scrollPixels};
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
})()`;

/** The list loads on as one nears its end. */
async function loadAll(page: Page, debug: CDPSession): Promise<void> {
  for (let before = -1, height = 0; height !== before; ) {
    before = height;
    await page.keyboard.press('End');
    await page.waitForTimeout(1500);
    height = await page.evaluate<number>("document.querySelector('[role=listbox]').scrollHeight");
  }
  await page.keyboard.press('Home');
  await inPage(debug, oneFrame);
}

/** Runs in the page before anything else. */
const observePaints = `
  globalThis.paints = { largest: 0, slowest: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) paints.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId) paints.slowest = Math.max(paints.slowest, duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;
