/** The screenshot object in responses of Detect, Enrich and Investigate. */
import type { ImageStore, Screenshot } from '../../../store/image-store.ts';
import type { ScreenshotLinks } from '../../files/screenshot-links.ts';

export interface ScreenshotNeeds {
  readonly images: Pick<ImageStore, 'findScreenshots'>;
  readonly screenshotLinks: ScreenshotLinks;
}

/** Finds the screenshot objects of domains (punycode), in the same order; undefined for a domain without a screenshot. */
export type FindScreenshots = (domains: readonly string[]) => Promise<readonly (object | undefined)[]>;

export function screenshotFinder({ images, screenshotLinks }: ScreenshotNeeds): FindScreenshots {
  return async (domains) => {
    const found = await images.findScreenshots(domains);
    return found.map((screenshot) => screenshot && screenshotOnWire(screenshot, screenshotLinks));
  };
}

function screenshotOnWire(screenshot: Screenshot, links: ScreenshotLinks): object {
  const { capturedMs, ipAddress, attemptedMs, seenMs } = screenshot;
  return {
    src: links.make(screenshot),
    timestamp: new Date(capturedMs).toISOString(),
    ip_address: ipAddress ?? null,
    last_attempt: new Date(attemptedMs).toISOString(),
    last_seen: new Date(seenMs).toISOString(),
  };
}
