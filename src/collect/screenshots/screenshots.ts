/**
 * Takes pictures of domains as jobs of the kind `screenshot` fall due. Where there is no browser the jobs stay as they are, for the
 * day on which there is one. Whatever a page says of itself is left to the collector of web sites: a picture changes no record.
 */
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings.ts';
import type { Dialer } from '../../outgoing/guarded-dialer.ts';
import type { ImageStore } from '../../store/image-store.ts';
import type { LeasedJob } from '../../store/job-store.ts';
import { type JobOutcome, type JobWorkerNeeds, workOnJobs } from '../jobs/work-on-jobs.ts';
import { removeAbandonedPlaces } from './browser-place.ts';
import { type Browser, findBrowser } from './find-browser.ts';
import { takePicture } from './take-picture.ts';

export interface ScreenshotsNeeds {
  readonly jobs: JobWorkerNeeds['jobs'];
  readonly images: Pick<ImageStore, 'keep' | 'noteFailure' | 'prune'>;
  readonly dialer: Pick<Dialer, 'check' | 'connect'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'screenshots' | 'collect'>;
  /** Hears once why no pictures are taken. */
  readonly onAbsent: (reason: string) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface ScreenshotCounts {
  /** 1 where there is one, else 0. */
  readonly browsers: number;
  readonly first: number;
  readonly same: number;
  readonly changed: number;
  /** Attempts that brought no picture. */
  readonly failed: number;
  readonly underWay: number;
}

export interface Screenshots {
  statistics(): ScreenshotCounts;
  close(): Promise<void>;
}

/** The hosts of a domain's page that failed are given an hour to come back, twice. */
const retryMs = 3_600_000;
const attemptsMax = 3;
const startsPerSecond = 2;
/** Beyond the time for the page: to start, to make an image of it, and to clear away. */
const aroundMs = 30_000;
const pruneMs = 3_600_000;
const dayMs = 86_400_000;

export function startScreenshots(needs: ScreenshotsNeeds): Screenshots {
  const { jobs, images, clock, settings, onAbsent, onFailure } = needs;
  const { atOnce, timeoutSeconds, retentionDays } = settings.screenshots;
  const counts = { first: 0, same: 0, changed: 0, failed: 0 };
  const browser = browserOr(onAbsent, settings);
  const underWay = new Set<Promise<unknown>>();

  const perform = async (
    { subject: domain, attempts }: LeasedJob,
    signal: AbortSignal,
  ): Promise<JobOutcome> => {
    const picture = await takePicture(domain, { ...needs, browser: browser as Browser }, signal);
    const atMs = clock.now();
    if (picture.outcome === 'taken') {
      counts[await images.keep({ ...picture, domain, atMs })] += 1;
      return { done: true, againMs: undefined };
    }
    counts.failed += 1;
    await images.noteFailure(domain, atMs, picture.reason);
    return attempts < attemptsMax
      ? { done: false, dueMs: atMs + retryMs }
      : { done: true, againMs: undefined };
  };
  const worker =
    browser &&
    workOnJobs(
      {
        kind: 'screenshot',
        atOnce,
        perSecond: startsPerSecond,
        deadlineMs: timeoutSeconds * 1000 + aroundMs,
        perform: (job, signal) => noted(perform(job, signal), underWay),
      },
      { jobs, clock, onFailure },
    );

  const clear = async () => {
    await images.prune(clock.now() - retentionDays * dayMs);
    if (browser) await removeAbandonedPlaces(clock.now());
  };
  let clearing = clear().catch(onFailure);
  const timer = setInterval(() => {
    clearing = clearing.then(clear).catch(onFailure);
  }, pruneMs).unref();

  return {
    statistics: () => ({ ...counts, browsers: browser ? 1 : 0, underWay: underWay.size }),
    close: async () => {
      clearInterval(timer);
      await worker?.close();
      await Promise.allSettled(underWay);
      await clearing;
    },
  };
}

/** A browser that was given up is still waited for at the end, so that none outlives us. */
function noted<Result>(work: Promise<Result>, underWay: Set<Promise<unknown>>): Promise<Result> {
  const ended = work.finally(() => underWay.delete(ended));
  underWay.add(ended);
  return ended;
}

function browserOr(
  onAbsent: (reason: string) => void,
  settings: Pick<Settings, 'screenshots'>,
): Browser | undefined {
  try {
    const browser = findBrowser(settings);
    if (!browser) onAbsent('there is no Chromium on this machine; screenshots.browser says where one is');
    return browser;
  } catch (error) {
    onAbsent((error as Error).message);
    return undefined;
  }
}
