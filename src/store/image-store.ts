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
  /** `model/picture/difference-hash.ts`; absent if it was not computed. */
  readonly perceptualHash?: string;
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
  /** Undefined until it is computed, and for an image that cannot be decoded. */
  readonly perceptualHash: string | undefined;
}

/** The last attempt that gave no image, since the newest image if there is one. */
export interface CaptureFailure {
  readonly atMs: number;
  readonly reason: string;
}

/** The newest image of a domain, and how much it resembles another. */
export interface AlikePicture {
  readonly domain: string;
  readonly capturedMs: number;
  readonly perceptualHash: string;
  /** Bits that differ. */
  readonly distance: number;
}

export interface ImageStore {
  /** Durable when this resolves. `same`: the pixels equal those of the newest image of the domain. */
  saveCapture(capture: Capture): Promise<'first' | 'same' | 'changed'>;

  /** Records an attempt that gave no image. */
  recordFailure(domain: string, atMs: number, reason: string): Promise<void>;

  /** The newest image of each domain, in the order given; undefined if there is none. */
  findScreenshots(domains: readonly string[]): Promise<readonly (Screenshot | undefined)[]>;

  /** In the order given; undefined if the last attempt gave an image, or none was made. */
  findFailures(domains: readonly string[]): Promise<readonly (CaptureFailure | undefined)[]>;

  /**
   * Domains whose newest image is alike (`alikeBitsMax`), most alike first, at most `limit`. Where very many images resemble it, some may be
   * missing.
   */
  listAlike(perceptualHash: string, limit: number): Promise<readonly AlikePicture[]>;

  /**
   * Computes the perceptual hash of up to `limit` images that have none. Returns how many had none; 0 when all are done. An image for which
   * `hashOf` fails keeps none, and is not tried again.
   */
  hashImages(limit: number, hashOf: (image: Image) => Promise<string>): Promise<number>;

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
