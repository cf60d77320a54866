/** Resized images, with an LRU cache. Few are resized concurrently, so that a page of thumbnails does not occupy the machine. */
import { Problem } from '../../model/problem.ts';
import type { Image } from '../../store/image-store.ts';
import { type SizeOptions, sizeOf } from './image-size.ts';
import { loadSharp } from './load-sharp.ts';

export interface SizedImage {
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
}

const cacheBytesMax = 16_777_216;
const concurrency = 2;
/** Each waiting request holds its image in memory, and one link allows requests for any number of sizes. */
const queueMax = 32;

export class SizedImages {
  readonly #cache = new Map<string, Promise<Buffer>>();
  readonly #sizes = new Map<string, number>();
  readonly #queue: (() => void)[] = [];
  #bytes = 0;
  #running = 0;

  /** The image itself where the options do not make it smaller. */
  async get(image: Image, options: SizeOptions): Promise<SizedImage> {
    const { width, height, croppedHeight } = sizeOf(image, options);
    const { mimetype } = image;
    if (width === image.width && croppedHeight === image.height) return image;
    const key = `${image.pixelHash} ${width} ${croppedHeight}`;
    const made = this.#cache.get(key) ?? this.#make(key, image, { width, height, croppedHeight });
    // Most recently used last.
    this.#cache.delete(key);
    this.#cache.set(key, made);
    return { bytes: await made, mimetype, width, height: croppedHeight };
  }

  #make(key: string, image: Image, size: ReturnType<typeof sizeOf>): Promise<Buffer> {
    const making = this.#limited(() => shrunk(image, size));
    making.then(
      (bytes) => this.#admit(key, bytes.length),
      () => this.#cache.delete(key),
    );
    return making;
  }

  #admit(key: string, bytes: number): void {
    if (!this.#cache.has(key)) return;
    this.#sizes.set(key, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#cache.keys()) {
      if (this.#bytes <= cacheBytesMax) break;
      const size = this.#sizes.get(oldest);
      // Without a size it is still being resized.
      if (size === undefined) continue;
      this.#cache.delete(oldest);
      this.#sizes.delete(oldest);
      this.#bytes -= size;
    }
  }

  async #limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#queue.length >= queueMax)
      throw new Problem('unavailable', 'Too many images are being resized. Try again in a moment.');
    if (this.#running >= concurrency) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** Runs in sharp's own threads. */
async function shrunk(
  image: Image,
  { width, height, croppedHeight }: ReturnType<typeof sizeOf>,
): Promise<Buffer> {
  // Loaded on first use: most servers never resize.
  const sharp = await loadSharp();
  const decoded = sharp(image.bytes, { limitInputPixels: image.width * image.height });
  const resized = width < image.width ? decoded.resize({ width, height, fit: 'fill' }) : decoded;
  return resized.extract({ left: 0, top: 0, width, height: croppedHeight }).png().toBuffer();
}
