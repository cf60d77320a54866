/**
 * The thread of one run of the browser. Whatever a page makes the browser tell us is read here, so that no page can keep the process
 * busy; the thread ends with the run.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { BrowserRun, RunOutcome } from './browser-run.ts';

const run = workerData as BrowserRun;
/** Of the time for all, for each URL to begin to answer. */
const answerShare = 0.4;
const loadMsMax = 10_000;
/** For what scripts put on a page once it has loaded. */
const settleMsMax = 2000;
const webUrl = /^https?:/;
const faultForm = /net::(ERR_[A-Z0-9_]+)/;

const outcome = await perform().catch(
  (error: unknown): RunOutcome => ({ outcome: 'failed', reason: shortly(error) }),
);
parentPort?.postMessage(outcome, outcome.outcome === 'taken' ? [outcome.png.buffer] : []);

async function perform(): Promise<RunOutcome> {
  const { executable, args, env } = run.command;
  const browser = await chromium.launch({
    executablePath: executable,
    ignoreDefaultArgs: true,
    args: [...args],
    env: { ...env },
    // Whoever started this thread has less patience.
    timeout: 2 * run.timeoutMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const context = await browser.newContext({
    viewport: { width: run.width, height: run.height },
    userAgent: run.userAgent,
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    ignoreHTTPSErrors: true,
    proxy: { ...run.proxy, bypass: '<-loopback>' },
  });
  const opened = await openOne(context);
  if ('outcome' in opened) return opened;
  const { url, page } = opened;
  await quiet(page.waitForLoadState('load', { timeout: loadMsMax }));
  await quiet(page.waitForLoadState('networkidle', { timeout: settleMsMax }));
  const png = await capture(context, page);
  // Where the page led to nobody in the end, the picture is one of the browser's own.
  const shownUrl = page.url();
  if (!webUrl.test(shownUrl)) return { outcome: 'failed', reason: 'the page went away' };
  return { outcome: 'taken', url, shownUrl, png };
}

interface Opened {
  readonly url: string;
  readonly page: Page;
}

/** The first of the URLs that leads to a page, each in a window of its own: what fails leaves something behind in its window. */
async function openOne(
  context: BrowserContext,
): Promise<Opened | Extract<RunOutcome, { outcome: 'failed' }>> {
  // What a page opens besides is closed; its dialogs are dismissed where nobody listens for them.
  let ours = true;
  context.on('page', (other) => ours || void other.close().catch(() => undefined));
  let reason = '';
  for (const url of run.urls) {
    ours = true;
    const page = await context.newPage();
    ours = false;
    try {
      const answer = await page.goto(url, { waitUntil: 'commit', timeout: run.timeoutMs * answerShare });
      if (answer && webUrl.test(page.url())) return { url, page };
      reason = 'no page';
    } catch (error) {
      reason = shortly(error);
    }
    await page.close();
  }
  return { outcome: 'failed', reason };
}

/** The page as it is laid out, by the browser's own word: scripts of the page are not asked. */
async function capture(context: BrowserContext, page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const session = await context.newCDPSession(page);
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const height = Math.min(Math.max(Math.ceil(cssContentSize.height), run.height), run.pageHeightMax);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: run.width, height, scale: 1 },
  });
  return Uint8Array.from(Buffer.from(data, 'base64'));
}

/** A page that is never done is taken as far as it has come. */
async function quiet(wait: Promise<void>): Promise<void> {
  await wait.catch(() => undefined);
}

/** What the library says has many lines, and quotes the page. */
function shortly(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return faultForm.exec(message)?.[1] ?? message.split('\n')[0]?.slice(0, 200) ?? '';
}
