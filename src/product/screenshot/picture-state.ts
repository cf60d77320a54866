/** The newest picture of a domain, or why there is none. */
import type { Settings } from '../../model/settings/settings.ts';
import type { HealthStore } from '../../store/health-store.ts';
import type { ImageStore, Screenshot } from '../../store/image-store.ts';
import type { JobStore } from '../../store/job-store.ts';

export type PictureState =
  | { readonly state: 'taken'; readonly screenshot: Screenshot }
  /** `unresolved`: it has no address. */
  | { readonly state: 'unresolved' | 'failed'; readonly sinceMs: number; readonly error: string }
  /** `off`: this server takes none. `none`: none was requested yet. */
  | { readonly state: 'queued' | 'off' | 'none' };

export interface PictureNeeds {
  readonly images: Pick<ImageStore, 'findScreenshots' | 'findFailures'>;
  readonly jobs: Pick<JobStore, 'findDueMs'>;
  readonly health: Pick<HealthStore, 'listReports'>;
  readonly settings: Pick<Settings, 'screenshots'>;
}

/** In the order of the domains (punycode). */
export async function findPictures(
  domains: readonly string[],
  needs: PictureNeeds,
): Promise<readonly PictureState[]> {
  const { images, jobs } = needs;
  const [screenshots, failures, dueMs, isOff] = await Promise.all([
    images.findScreenshots(domains),
    images.findFailures(domains),
    jobs.findDueMs('screenshot', domains),
    takesNone(needs),
  ]);
  return domains.map((domain, index) => {
    const [screenshot, failure] = [screenshots[index], failures[index]];
    if (screenshot) return { state: 'taken', screenshot };
    if (failure) {
      const isUnresolved = failure.reason.startsWith(`${domain} has no address`);
      return { state: isUnresolved ? 'unresolved' : 'failed', sinceMs: failure.atMs, error: failure.reason };
    }
    if (isOff) return { state: 'off' };
    return { state: dueMs[index] === undefined ? 'none' : 'queued' };
  });
}

/** By setting, or because every process that would take them reports why it cannot, such as that no browser is installed. */
async function takesNone({ health, settings }: Pick<PictureNeeds, 'health' | 'settings'>): Promise<boolean> {
  if (!settings.screenshots.enabled) return true;
  const reports = await health.listReports();
  const parts = reports
    .flatMap((report) => report.parts)
    .filter(({ kind, name }) => kind === 'collector' && name === 'screenshots');
  return parts.length > 0 && parts.every(({ off }) => off !== undefined);
}
