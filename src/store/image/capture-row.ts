/** A capture with its image, as every adapter reads it. */
import type { Screenshot } from '../image-store.ts';

export interface CaptureRow {
  readonly domain: string;
  readonly capturedMs: number;
  readonly seenMs: number;
  readonly attemptedMs: number;
  readonly url: string;
  readonly ipAddress: string | null;
  readonly hash: string;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
  readonly pixelHash: string;
  readonly perceptualHash: string | null;
}

const reasonLengthMax = 500;

export function screenshotOf(row: CaptureRow): Screenshot {
  const { domain, capturedMs, seenMs, attemptedMs, url, ipAddress, width, height, perceptualHash } = row;
  return {
    domain,
    capturedMs,
    seenMs,
    attemptedMs,
    url,
    ipAddress: ipAddress ?? undefined,
    width,
    height,
    // Empty for an image that cannot be decoded.
    perceptualHash: perceptualHash || undefined,
  };
}

/** A capture is later than the one it replaces, even if the clock went back. */
export function captureTime(atMs: number, before: Pick<CaptureRow, 'attemptedMs'> | undefined): number {
  return before ? Math.max(atMs, before.attemptedMs + 1) : atMs;
}

/** The reason of a failed attempt, as it is stored. */
export function storedReason(reason: string): string {
  return reason.slice(0, reasonLengthMax).toWellFormed();
}
