/**
 * Takes screenshots as jobs of kind `screenshot` fall due. Without a browser the jobs wait until one is installed. A screenshot changes no
 * record; what a page contains is up to the web collector.
 */

import type { Clock } from '../../model/clock.ts';
import { dayMs, hourMs } from '../../model/durations.ts';
import type { OutgoingRequest } from '../../model/opsec/outgoing-request.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import { perceptualHash } from '../../product/screenshot/perceptual-hash.ts';
import type { OpsecStore } from '../../store/detect/opsec-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { ImageStore } from '../../store/image-store.ts';
import type { LeasedJob } from '../../store/job-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { PassiveDomains } from '../collection/passive-domains.ts';
import { recordProbe } from '../collection/record-probe.ts';
import { RequestLog } from '../collection/request-log.ts';
import { type JobOutcome, type JobWorkerNeeds, startJobWorker } from '../jobs/start-job-worker.ts';
import { removeStaleDirectories } from './browser-profile.ts';
import { capturePage } from './capture-page.ts';
import { type Browser, findBrowser } from './find-browser.ts';

export interface ScreenshotsNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly jobs: JobWorkerNeeds['jobs'];
  readonly images: Pick<ImageStore, 'saveCapture' | 'recordFailure' | 'pruneImages' | 'hashImages'>;
  readonly opsec: Pick<OpsecStore, 'addRequests' | 'trimRequests' | 'isPassive'>;
  readonly monitors: Pick<MonitorStore, 'listActiveMonitors' | 'monitorsVersion'>;
  readonly dialer: Pick<Dialer, 'check' | 'connect'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'screenshots' | 'collect'>;
  /** Called once with the reason why no screenshots are taken. */
  readonly onUnavailable: (reason: string) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface ScreenshotCounts {
  /** 1 when a browser was found, else 0. */
  readonly browsers: number;
  readonly first: number;
  readonly same: number;
  readonly changed: number;
  /** Attempts without a screenshot. */
  readonly failed: number;
  readonly active: number;
}

export interface Screenshots {
  statistics(): ScreenshotCounts;
  close(): Promise<void>;
}

/** A site that failed is retried twice, an hour apart. */
const retryMs = hourMs;
const attemptsMax = 3;
/** Of jobs: many lookalikes have no address, which is known before a browser starts. `screenshots.atOnce` limits browsers. */
const startsPerSecond = 10;
/** Added to the time for the page: to start the browser, encode the image and clean up. */
const overheadMs = 30_000;
const pruneMs = hourMs;

export function startScreenshots(needs: ScreenshotsNeeds): Screenshots {
  const { jobs, images, clock, settings, onUnavailable, onFailure } = needs;
  const passive = new PassiveDomains(needs);
  const { requestsMax } = settings.collect;
  const requestLog = new RequestLog({ ...needs, requestsMax });
  const { atOnce: concurrency, timeoutSeconds, retentionDays } = settings.screenshots;
  const counts = { first: 0, same: 0, changed: 0, failed: 0 };
  const browser = findUsableBrowser(onUnavailable, settings);
  const active = new Set<Promise<unknown>>();
  let isClosing = false;

  const perform = async (
    { subject: domain, attempts }: LeasedJob,
    signal: AbortSignal,
  ): Promise<JobOutcome> => {
    if (await passive.includes(domain)) {
      await images.recordFailure(domain, clock.now(), 'passive only: nothing is asked of its servers');
      return { done: true, againMs: undefined };
    }
    const requests: OutgoingRequest[] = [];
    const result = await recordProbe({ domain, collector: 'screenshot' }, requests, { clock, passive }, () =>
      capturePage(domain, { ...needs, browser: browser as Browser }, signal),
    ).finally(() => requestLog.write(requests));
    const atMs = clock.now();
    if (result.outcome === 'captured') {
      counts[await images.saveCapture({ ...result, domain, atMs })] += 1;
      return { done: true, againMs: undefined };
    }
    counts.failed += 1;
    await images.recordFailure(domain, atMs, result.reason);
    return attempts < attemptsMax
      ? { done: false, dueMs: atMs + retryMs }
      : { done: true, againMs: undefined };
  };
  const worker =
    browser &&
    startJobWorker(
      {
        kind: 'screenshot',
        concurrency,
        maxPerSecond: startsPerSecond,
        deadlineMs: timeoutSeconds * 1000 + overheadMs,
        perform: (job, signal) => tracked(perform(job, signal), active),
      },
      { ...needs, jobs },
    );

  const cleanUp = async () => {
    await images.pruneImages(clock.now() - retentionDays * dayMs);
    if (browser) await removeStaleDirectories(clock.now());
    // Images that an earlier version stored; one at a time, and the next start resumes.
    // oxlint-disable-next-line no-unmodified-loop-condition -- close() sets it meanwhile
    while (!isClosing && (await images.hashImages(1, perceptualHash)) > 0) continue;
  };
  let cleaning = cleanUp().catch(onFailure);
  const timer = setInterval(() => {
    cleaning = cleaning.then(cleanUp).catch(onFailure);
  }, pruneMs).unref();

  return {
    statistics: () => ({ ...counts, browsers: browser ? 1 : 0, active: active.size }),
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await worker?.close();
      await Promise.allSettled(active);
      await cleaning;
    },
  };
}

/** A run that exceeded its deadline is still awaited on close, so that no browser outlives the server. */
function tracked<Result>(work: Promise<Result>, active: Set<Promise<unknown>>): Promise<Result> {
  const ended = work.finally(() => active.delete(ended));
  active.add(ended);
  return ended;
}

function findUsableBrowser(
  onAbsent: (reason: string) => void,
  settings: Pick<Settings, 'screenshots'>,
): Browser | undefined {
  try {
    const browser = findBrowser(settings);
    if (!browser) onAbsent('no Chromium found; install one, or set screenshots.browser to its path');
    return browser;
  } catch (error) {
    onAbsent((error as Error).message);
    return undefined;
  }
}
