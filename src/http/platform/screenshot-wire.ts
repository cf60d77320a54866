/** The screenshot object, as Detect, Enrich and Investigate show it. */
import type { ImageStore, Screenshot } from '../../store/image-store.ts';
import type { ScreenshotLinks } from '../files/screenshot-links.ts';

export interface ScreenshotNeeds {
  readonly images: Pick<ImageStore, 'findScreenshots'>;
  readonly screenshotLinks: ScreenshotLinks;
}

/** Gives the objects of some domains in punycode, in their order; undefined where there never was a picture. */
export type ScreenshotsOf = (domains: readonly string[]) => Promise<readonly (object | undefined)[]>;

export function screenshotsOf({ images, screenshotLinks }: ScreenshotNeeds): ScreenshotsOf {
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
