/**
 * The process of one browser run. All messages of the browser, which a page can influence, are parsed here, so that no page can block the
 * server. It ends with the run, and with the server. A thread would not do: when it is terminated, nobody reaps the browser it started.
 */
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { BrowserRun, RunOutcome } from './browser-run.ts';

/** The share of the whole time that each URL has to begin to respond. */
const responseShare = 0.4;
const loadMsMax = 10_000;
/** For scripts that change the page after it has loaded. */
const settleMsMax = 2000;
const webUrl = /^https?:/;
const faultForm = /net::(ERR_[A-Z0-9_]+)/;

process.once('message', async (run: BrowserRun) => {
  const outcome = await perform(run).catch(
    (error: unknown): RunOutcome => ({ outcome: 'failed', reason: shortMessage(error) }),
  );
  process.send?.(outcome);
  // Ends when the browser, which is killed from outside, has been reaped.
  process.channel?.unref();
});
process.once('disconnect', () => process.exit());

async function perform(run: BrowserRun): Promise<RunOutcome> {
  const { executable, args, env } = run.command;
  const browser = await chromium.launch({
    executablePath: executable,
    ignoreDefaultArgs: true,
    args: [...args],
    env: { ...env },
    // The caller's own timeout is shorter.
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
  const opened = await openOne(context, run);
  if ('outcome' in opened) return opened;
  const { url, page } = opened;
  await quiet(page.waitForLoadState('load', { timeout: loadMsMax }));
  await quiet(page.waitForLoadState('networkidle', { timeout: settleMsMax }));
  const png = await capture(context, page, run);
  // After a failed navigation the image shows an error page of the browser.
  const redactUrl = page.url();
  if (!webUrl.test(redactUrl)) return { outcome: 'failed', reason: 'the page went away' };
  return { outcome: 'captured', url, redactUrl, png };
}

interface Opened {
  readonly url: string;
  readonly page: Page;
}

/** Opens the first of the URLs that gives a page, each in a fresh tab, because a failed navigation leaves state behind. */
async function openOne(
  context: BrowserContext,
  run: BrowserRun,
): Promise<Opened | Extract<RunOutcome, { outcome: 'failed' }>> {
  // Popups are closed; dialogs are dismissed by default.
  let ours = true;
  context.on('page', (other) => ours || void other.close().catch(() => undefined));
  let reason = '';
  for (const url of run.urls) {
    ours = true;
    const page = await context.newPage();
    ours = false;
    try {
      const response = await page.goto(url, { waitUntil: 'commit', timeout: run.timeoutMs * responseShare });
      if (response && webUrl.test(page.url())) return { url, page };
      reason = 'no page';
    } catch (error) {
      reason = shortMessage(error);
    }
    await page.close();
  }
  return { outcome: 'failed', reason };
}

/** Captures the page by its layout metrics from the browser, which scripts of the page cannot influence. */
async function capture(
  context: BrowserContext,
  page: Page,
  run: BrowserRun,
): Promise<Uint8Array<ArrayBuffer>> {
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

/** A page that never finishes loading is captured as it is. */
async function quiet(wait: Promise<void>): Promise<void> {
  await wait.catch(() => undefined);
}

/** Messages of the library have many lines and quote the page. */
function shortMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return faultForm.exec(message)?.[1] ?? message.split('\n')[0]?.slice(0, 200) ?? '';
}
