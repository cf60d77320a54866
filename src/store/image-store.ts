/**
 * Screenshots: the images of each domain, and what the last attempts brought. An image that comes again, pixel for pixel, is not kept
 * a second time: it is the same image, seen later.
 */

export interface Capture {
  /** In punycode. */
  readonly domain: string;
  readonly atMs: number;
  /** The URL that was opened, as the contract's `rurl` names it. */
  readonly url: string;
  /** The address that the page came from. */
  readonly ipAddress: string | undefined;
  readonly image: Image;
}

export interface Image {
  readonly bytes: Buffer;
  /** `image/png` */
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
  /** Of its pixels, hex: two images with the same one look the same. */
  readonly pixelHash: string;
}

/** What is known of the pictures of a domain that has one. */
export interface Screenshot {
  readonly domain: string;
  /** When the image was captured, when it was last seen to be still so, and when that was last tried: each no earlier than the one before. */
  readonly capturedMs: number;
  readonly seenMs: number;
  readonly attemptedMs: number;
  readonly url: string;
  readonly ipAddress: string | undefined;
  readonly width: number;
  readonly height: number;
}

export interface ImageStore {
  /** Durable when this resolves. `same`: the newest image of the domain was captured again. */
  keep(capture: Capture): Promise<'first' | 'same' | 'changed'>;

  /** An attempt that brought no image. Where the domain has none, only the time and the reason are kept. */
  noteFailure(domain: string, atMs: number, reason: string): Promise<void>;

  /** The newest image of each domain, in the order asked for; undefined where there never was one. */
  findScreenshots(domains: readonly string[]): Promise<readonly (Screenshot | undefined)[]>;

  /** An image by its domain and the time at which it was captured. */
  findImage(domain: string, capturedMs: number): Promise<Image | undefined>;

  /** All images of a domain, the newest first. */
  listCaptures(domain: string, limit: number): Promise<readonly Screenshot[]>;

  /** Forgets images that were captured before a time and are not the newest of their domain. How many went. */
  prune(beforeMs: number): Promise<number>;

  statistics(): Promise<{ readonly domains: number; readonly images: number; readonly bytes: number }>;

  close(): Promise<void>;
}
