/**
 * The web UI in a real browser before 5,000 lookalikes: what it has to load, and what the main thread of the page computes for loading,
 * moving and scrolling. CPU and memory are those of the page. CPU time of its main thread stays true on a busy machine.
 * The peer is the prototype that the app was designed with: its figures, on the same rows, are the bounds.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { budget } from '../scripts/web-budget.ts';
import { fillWatchlist } from '../test/harness/browser/fill-watchlist.ts';
import {
  type Bench,
  type BenchContext,
  type Bound,
  type Result,
  resultOf,
  type Usage,
} from './harness/benchmark.ts';
import { type Cost, cost, inPage, oneFrame } from './web/main-thread.ts';
import { openWebApp } from './web/open-web-app.ts';

const scrollPixels = 900;
/** Milliseconds of the prototype at 5,000 rows: script and all tasks of loading, script of 60 keys, script and layout of 60 frames. */
const prototype = { load: 127, loadTasks: 417, keys: 304, scroll: 638, scrollLayout: 816 } as const;

const dist = join(import.meta.dirname, '../web/dist');

export const bench: Bench = async (context) => {
  const rows = context.sized({ tiny: 200, small: 1000, full: 5000 });
  const app = await openWebApp(context);
  const { accountId, person } = await app.account();
  await fillWatchlist(app.server, accountId, rows);
  const ann = await person('bench');
  // Once before, so that no file is read and nothing compiled for the first time.
  await (await app.open(context, ann, '/ui/triage')).page.locator('.row').first().waitFor();
  const { page, context: browser } = await app.open(context, ann, '/ui/enter', {
    prepare: async (given) => void (await given.addInitScript(observePaints)),
  });
  const debug = await browser.newCDPSession(page);
  const measured = await measurePage(page, debug, { url: app.url, rows, context });
  return [...fileResults(measured.usage), ...measured.results];
};

/** Sizes as they are sent, gzipped. */
function fileResults({ cpuSeconds, memoryBytes }: Usage): readonly Result[] {
  const index = readFileSync(join(dist, 'index.html'), 'utf8');
  const initial = new Set(
    [...index.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file),
  );
  const assets = readdirSync(join(dist, 'assets')).map((file) => `assets/${file}`);
  const sizeOf = (file: string) => statSync(join(dist, `${file}.gz`)).size / 1000;
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0);
  const lazy = assets.filter((file) => file.endsWith('.js') && !initial.has(file));
  const styles = [...index.matchAll(/href="\/ui\/(assets\/[^"]+\.css)"/g)].map(([, file = '']) => file);
  return (
    [
      ['web UI: initial JavaScript', sum(initial), budget.initialScript],
      ['web UI: largest other script', Math.max(...lazy.map(sizeOf)), budget.lazyRoute],
      ['web UI: initial style sheets', sum(styles), budget.initialStyles],
    ] as const
  ).map(([work, value, most]) =>
    resultOf({
      work,
      ours: { value, unit: 'kB' },
      wanted: { ours: { atMost: most / 1000 } },
      cpuSeconds,
      memoryBytes,
    }),
  );
}

interface Measuring {
  readonly url: string;
  readonly rows: number;
  readonly context: BenchContext;
}

async function measurePage(
  page: Page,
  debug: CDPSession,
  { url, rows, context: { sized, note } }: Measuring,
): Promise<{ readonly results: readonly Result[]; readonly usage: Usage }> {
  const steps = sized({ tiny: 10, small: 60, full: 60 });
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  const loading = await cost(debug, async () => {
    await page.goto(`${url}/ui/triage`);
    await inPage(debug, untilDrawn);
  });
  const moving = await cost(debug, async () => {
    for (let at = 0; at < steps; at += 1) {
      await page.keyboard.press('j');
      await inPage(debug, oneFrame);
    }
  });
  // All rows are loaded first: then scrolling is drawing alone.
  await loadAll(page, debug, sized({ tiny: 300, small: 1500, full: 1500 }));
  const scrolling = await cost(debug, () => inPage(debug, scrolled(steps)));
  const { largest, slowest } = await page.evaluate<{ largest: number; slowest: number }>('globalThis.paints');
  note(`LCP ${Math.round(largest)} ms, INP ${Math.round(slowest)} ms: true on a quiet machine alone`);
  const row = (work: string, value: number, { of, most }: { readonly of: Cost; readonly most: number }) =>
    resultOf({
      work: `web UI before ${rows.toLocaleString('en')} rows: ${work}`,
      ours: { value, unit: 'ms' },
      peer: { name: 'prototype, 5,000 rows', value: most, unit: 'ms' },
      wanted: { ratio: { atMost: 1 } satisfies Bound },
      cpuSeconds: of.tasks / 1000,
      memoryBytes: of.heap,
    });
  return {
    usage: { cpuSeconds: loading.tasks / 1000, memoryBytes: loading.heap },
    results: [
      row('load, script', loading.script, { of: loading, most: prototype.load }),
      row('load, all tasks', loading.tasks, { of: loading, most: prototype.loadTasks }),
      row(`${steps} × j, script`, moving.script, { of: moving, most: prototype.keys }),
      row(`${steps} frames of ${scrollPixels} px, script`, scrolling.script, {
        of: scrolling,
        most: prototype.scroll,
      }),
      row(`${steps} frames of ${scrollPixels} px, layout`, scrolling.layout, {
        of: scrolling,
        most: prototype.scrollLayout,
      }),
    ],
  };
}

const untilDrawn = `new Promise((done) => {
  const check = () => (document.querySelector('.row.at') ? setTimeout(done, 1000) : setTimeout(check, 50));
  check();
})`;
const scrolled = (steps: number): string => `(async () => {
  const list = document.querySelector('[role=listbox]');
  for (let at = 1; at <= ${steps}; at += 1) {
    list.scrollTop = at * ${scrollPixels};
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
})()`;

/** The list loads on as one nears its end. */
async function loadAll(page: Page, debug: CDPSession, patienceMs: number): Promise<void> {
  for (let before = -1, height = 0; height !== before; ) {
    before = height;
    await page.keyboard.press('End');
    await page.waitForTimeout(patienceMs);
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
