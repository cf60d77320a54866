/** Captures a screenshot of a domain's web site, or the reason why not. Every process it started has ended when it resolves. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { settlesWithin } from '../../concurrency/deadline.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { type BrowserProxy, openBrowserProxy, proxyUser } from '../../outgoing/browser-proxy.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import type { Capture, Image } from '../../store/image-store.ts';
import { browserCommand } from './browser-command.ts';
import { type BrowserDirectory, createBrowserDirectory } from './browser-profile.ts';
import type { BrowserRun, RunOutcome } from './browser-run.ts';
import { cleanImage } from './clean-image.ts';
import type { Browser } from './find-browser.ts';

export interface CapturePageNeeds {
  readonly browser: Browser;
  readonly dialer: Pick<Dialer, 'check' | 'connect'>;
  readonly settings: Pick<Settings, 'screenshots' | 'collect'>;
}

export type CaptureResult =
  | ({ readonly outcome: 'captured' } & Pick<Capture, 'url' | 'ipAddress' | 'image'>)
  | { readonly outcome: 'failed'; readonly reason: string };

/** Limits on the traffic of a page. */
const bounds = { bytesMax: 30_000_000, connectionsMax: 500, connectTimeoutMs: 10_000 };
const workerProgram = fileURLToPath(new URL('./browser-worker.ts', import.meta.url));
const workerMegabytesMax = 256;
/**
 * The worker runs for seconds and waits for most of them: code that is not optimized takes less memory. `--lite-mode` would take
 * WebAssembly away, too, which Node needs to read TypeScript.
 */
const smallCode = ['--no-opt', '--no-maglev', '--no-sparkplug', '--optimize-for-size'];
/** For the worker to notice that its browser is gone, and how often the browser is killed meanwhile. */
const workerEndMs = 5000;
const killEveryMs = 50;

/** Throws the reason of the signal. */
export async function capturePage(
  domain: string,
  needs: CapturePageNeeds,
  signal: AbortSignal,
): Promise<CaptureResult> {
  signal.throwIfAborted();
  const reason = await findObstacle(domain, needs.dialer);
  if (reason !== undefined) return { outcome: 'failed', reason };
  const directory = await createBrowserDirectory(needs.browser.user);
  try {
    return await captureIn(directory, domain, needs, signal);
  } finally {
    await directory.remove();
  }
}

/** A domain without a permitted address needs no browser. */
async function findObstacle(domain: string, dialer: Pick<Dialer, 'check'>): Promise<string | undefined> {
  try {
    await dialer.check(`http://${domain}`);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

async function captureIn(
  directory: BrowserDirectory,
  domain: string,
  { browser, dialer, settings }: CapturePageNeeds,
  signal: AbortSignal,
): Promise<CaptureResult> {
  const { httpPort, httpsPort, userAgent } = settings.collect;
  const { width, height, pageHeightMax, timeoutSeconds } = settings.screenshots;
  const password = randomBytes(24).toString('hex');
  const ports = { http: httpPort, https: httpsPort };
  const path = browser.hasNetworkNamespace ? directory.proxyPath : undefined;
  const proxy = await openBrowserProxy({ dialer, ports, password, path, ...bounds });
  try {
    if (path !== undefined && browser.user) await chown(path, browser.user.uid, browser.user.gid);
    const command = browserCommand(browser, directory, proxy.port);
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
    const outcome = await runBrowser(run, directory, signal);
    if (outcome.outcome === 'failed')
      return { outcome: 'failed', reason: reasonOf(domain, outcome.reason, proxy) };
    const ipAddress = proxy.findAddress(URL.parse(outcome.redactUrl)?.hostname ?? '');
    const image = await findImage(outcome.png, width * Math.max(height, pageHeightMax));
    if (!image) return { outcome: 'failed', reason: 'the browser gave no image' };
    return { outcome: 'captured', url: outcome.url, ipAddress, image };
  } finally {
    await proxy.close();
  }
}

/** A compromised browser may return any bytes. */
async function findImage(png: Uint8Array, pixelsMax: number): Promise<Image | undefined> {
  return cleanImage(png, pixelsMax).catch(() => undefined);
}

/** The proxy knows the cause better than the browser. */
function reasonOf(domain: string, reason: string, proxy: BrowserProxy): string {
  const fault = proxy.findError(domain);
  return fault === undefined ? reason : `${reason}: ${fault}`;
}

async function runBrowser(
  run: BrowserRun,
  directory: BrowserDirectory,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const timeout = AbortSignal.timeout(run.timeoutMs);
  const ending = AbortSignal.any([signal, timeout]);
  const worker = fork(workerProgram, [], {
    execArgv: [`--max-old-space-size=${workerMegabytesMax}`, '--max-semi-space-size=2', ...smallCode],
    // Neither our environment nor our output.
    env: { TMPDIR: directory.directory },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const exited = once(worker, 'exit').catch(() => undefined);
  // Handled below while the outcome is awaited; later errors are ignored.
  worker.on('error', () => undefined);
  try {
    worker.send(run);
    return await outcomeOf(worker, exited, ending);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted)
      return { outcome: 'failed', reason: `no screenshot within ${run.timeoutMs / 1000} s` };
    return { outcome: 'failed', reason: `the browser failed: ${(error as Error).message}` };
  } finally {
    await endBrowser(worker, exited, directory);
  }
}

async function outcomeOf(
  worker: ChildProcess,
  exited: Promise<unknown>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const message = once(worker, 'message', { signal }) as Promise<[RunOutcome]>;
  const ended = exited.then(() => {
    throw new Error('its process ended');
  });
  const [outcome] = await Promise.race([message, ended]);
  return outcome;
}

/** Kills the browser until the worker, its parent, has reaped it and ended: it may have been about to start. */
async function endBrowser(
  worker: ChildProcess,
  exited: Promise<unknown>,
  directory: BrowserDirectory,
): Promise<void> {
  const endMs = performance.now() + workerEndMs;
  let hasEnded = false;
  while (!hasEnded && performance.now() < endMs) {
    await directory.kill();
    hasEnded = await settlesWithin(exited, killEveryMs);
  }
  if (!hasEnded) worker.kill('SIGKILL');
  await exited;
  await directory.kill();
}
