/** A picture of a domain's web site, or why there is none. Everything that was started for it has ended when this resolves. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { type BrowserProxy, openBrowserProxy, proxyUser } from '../../outgoing/browser-proxy.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import type { Capture, Image } from '../../store/image-store.ts';
import { browserCommand } from './browser-command.ts';
import { type OpenPlace, openPlace } from './browser-place.ts';
import type { BrowserRun, RunOutcome } from './browser-run.ts';
import { cleanImage } from './clean-image.ts';
import type { Browser } from './find-browser.ts';

export interface PictureNeeds {
  readonly browser: Browser;
  readonly dialer: Pick<Dialer, 'check' | 'connect'>;
  readonly settings: Pick<Settings, 'screenshots' | 'collect'>;
}

export type Picture =
  | ({ readonly outcome: 'taken' } & Pick<Capture, 'url' | 'ipAddress' | 'image'>)
  | { readonly outcome: 'failed'; readonly reason: string };

/** What a page may move, and how often it may connect. */
const bounds = { bytesMax: 30_000_000, connectionsMax: 500, connectTimeoutMs: 10_000 };
/** For a thread to hear that its browser is gone. */
const threadEndMs = 2000;
const threadMegabytesMax = 256;

/** Throws the reason of the signal where that ends it. */
export async function takePicture(
  domain: string,
  needs: PictureNeeds,
  signal: AbortSignal,
): Promise<Picture> {
  signal.throwIfAborted();
  const reason = await findObstacle(domain, needs.dialer);
  if (reason !== undefined) return { outcome: 'failed', reason };
  const place = await openPlace(needs.browser.user);
  try {
    return await takeAt(place, domain, needs, signal);
  } finally {
    await place.remove();
  }
}

/** Whoever has no address, or none that may be looked at, need not have a browser started for it. */
async function findObstacle(domain: string, dialer: Pick<Dialer, 'check'>): Promise<string | undefined> {
  try {
    await dialer.check(`http://${domain}`);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

async function takeAt(
  place: OpenPlace,
  domain: string,
  { browser, dialer, settings }: PictureNeeds,
  signal: AbortSignal,
): Promise<Picture> {
  const { httpPort, httpsPort, userAgent } = settings.collect;
  const { width, height, pageHeightMax, timeoutSeconds } = settings.screenshots;
  const password = randomBytes(24).toString('hex');
  const ports = { http: httpPort, https: httpsPort };
  const path = browser.ownNetwork ? place.proxyPath : undefined;
  const proxy = await openBrowserProxy({ dialer, ports, password, path, ...bounds });
  try {
    if (path !== undefined && browser.user) await chown(path, browser.user.uid, browser.user.gid);
    const command = browserCommand(browser, place, proxy.port);
    const run: BrowserRun = {
      command,
      proxy: { server: command.proxyServer, username: proxyUser, password },
      urls: [`http://${domain}`, `https://${domain}`],
      width,
      height,
      pageHeightMax,
      userAgent,
      timeoutMs: timeoutSeconds * 1000,
    };
    const outcome = await runBrowser(run, place, signal);
    if (outcome.outcome === 'failed')
      return { outcome: 'failed', reason: reasonOf(domain, outcome.reason, proxy) };
    const ipAddress = proxy.findAddress(URL.parse(outcome.shownUrl)?.hostname ?? '');
    const image = await findImage(outcome.png, width * Math.max(height, pageHeightMax));
    if (!image) return { outcome: 'failed', reason: 'the browser gave no picture' };
    return { outcome: 'taken', url: outcome.url, ipAddress, image };
  } finally {
    await proxy.close();
  }
}

/** A browser that was taken over may give anything. */
async function findImage(png: Uint8Array, pixelsMax: number): Promise<Image | undefined> {
  return cleanImage(png, pixelsMax).catch(() => undefined);
}

/** The proxy knows better than the browser what stood in the way. */
function reasonOf(domain: string, reason: string, proxy: BrowserProxy): string {
  const fault = proxy.findFault(domain);
  return fault === undefined ? reason : `${reason}: ${fault}`;
}

async function runBrowser(run: BrowserRun, place: OpenPlace, signal: AbortSignal): Promise<RunOutcome> {
  const timeout = AbortSignal.timeout(run.timeoutMs);
  const ending = AbortSignal.any([signal, timeout]);
  const worker = new Worker(new URL('./browser-thread.ts', import.meta.url), {
    workerData: run,
    resourceLimits: { maxOldGenerationSizeMb: threadMegabytesMax },
    // Not our environment, and not our output.
    env: { TMPDIR: place.directory },
    stdout: true,
    stderr: true,
  });
  // Heard below while the outcome is waited for; later ones are of no interest.
  worker.on('error', () => undefined);
  const exited = once(worker, 'exit').catch(() => undefined);
  try {
    const [outcome] = (await once(worker, 'message', { signal: ending })) as [RunOutcome];
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { outcome: 'failed', reason: `no picture within ${run.timeoutMs / 1000} s` };
    return { outcome: 'failed', reason: `the browser failed: ${(error as Error).message}` };
  } finally {
    await place.kill();
    await within(exited, threadEndMs);
    await worker.terminate();
    // One that was only being started when the first call came.
    await place.kill();
  }
}

async function within(work: Promise<unknown>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([work, waited]);
  clearTimeout(timer);
}
