/**
 * Screenshots of domains, and the outcome of the latest attempts. Consecutive captures with the same pixels are stored once: only the time
 * at which the image was last seen changes.
 */

import type { Damage } from './damage.ts';

export interface Capture {
  /** Punycode. */
  readonly domain: string;
  readonly atMs: number;
  /** The URL that was opened; `rurl` in the API. */
  readonly url: string;
  /** The address that served the page. */
  readonly ipAddress: string | undefined;
  readonly image: Image;
}

export interface Image {
  readonly bytes: Buffer;
  /** `image/png` */
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
  /** A hash of the decoded pixels, in hex. */
  readonly pixelHash: string;
}

export interface Screenshot {
  readonly domain: string;
  /** When the image was first captured, when it was last seen unchanged, and when a capture was last attempted: in ascending order. */
  readonly capturedMs: number;
  readonly seenMs: number;
  readonly attemptedMs: number;
  readonly url: string;
  readonly ipAddress: string | undefined;
  readonly width: number;
  readonly height: number;
}

export interface ImageStore {
  /** Durable when this resolves. `same`: the pixels equal those of the newest image of the domain. */
  saveCapture(capture: Capture): Promise<'first' | 'same' | 'changed'>;

  /** Records an attempt that gave no image. */
  recordFailure(domain: string, atMs: number, reason: string): Promise<void>;

  /** The newest image of each domain, in the order given; undefined if there is none. */
  findScreenshots(domains: readonly string[]): Promise<readonly (Screenshot | undefined)[]>;

  /** Throws `DamagedData` if the stored image is lost, or not what was saved. */
  findImage(domain: string, capturedMs: number): Promise<Image | undefined>;

  /** Images of a domain, newest first. */
  listCaptures(domain: string, limit: number): Promise<readonly Screenshot[]>;

  /** Deletes images captured before the given time, except the newest of each domain. Returns how many were deleted. */
  pruneImages(beforeMs: number): Promise<number>;

  statistics(): Promise<{ readonly domains: number; readonly images: number; readonly bytes: number }>;

  /** Reads all images, and names those that are damaged. Progress is in images. */
  verify(onProgress?: (done: number, all: number) => void): AsyncIterable<Damage>;

  close(): Promise<void>;
}
