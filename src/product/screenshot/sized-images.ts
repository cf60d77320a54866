/** Images in smaller sizes. The latest are remembered, and few are made at once, so that no list of thumbnails takes the machine. */
import { Problem } from '../../model/problem.ts';
import type { Image } from '../../store/image-store.ts';
import { type SizeWishes, sizeOf } from './image-size.ts';

export interface SizedImage {
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
}

const rememberedBytesMax = 16_777_216;
const atOnceMax = 2;
/** Each of them has its image in memory, and whoever has one link may ask for any number of sizes. */
const waitingMax = 32;

export class SizedImages {
  readonly #remembered = new Map<string, Promise<Buffer>>();
  readonly #sizes = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #underWay = 0;

  /** The image itself where no wish makes it smaller. */
  async get(image: Image, wishes: SizeWishes): Promise<SizedImage> {
    const { width, height, croppedHeight } = sizeOf(image, wishes);
    const { mimetype } = image;
    if (width === image.width && croppedHeight === image.height) return image;
    const key = `${image.pixelHash} ${width} ${croppedHeight}`;
    const made = this.#remembered.get(key) ?? this.#make(key, image, { width, height, croppedHeight });
    // Used last, forgotten last.
    this.#remembered.delete(key);
    this.#remembered.set(key, made);
    return { bytes: await made, mimetype, width, height: croppedHeight };
  }

  #make(key: string, image: Image, size: ReturnType<typeof sizeOf>): Promise<Buffer> {
    const making = this.#inTurn(() => shrunk(image, size));
    making.then(
      (bytes) => this.#remember(key, bytes.length),
      () => this.#remembered.delete(key),
    );
    return making;
  }

  #remember(key: string, bytes: number): void {
    if (!this.#remembered.has(key)) return;
    this.#sizes.set(key, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#remembered.keys()) {
      if (this.#bytes <= rememberedBytesMax) break;
      const size = this.#sizes.get(oldest);
      // Without a size it is still being made.
      if (size === undefined) continue;
      this.#remembered.delete(oldest);
      this.#sizes.delete(oldest);
      this.#bytes -= size;
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= waitingMax)
      throw new Problem('unavailable', 'Too many images are being made just now. Try again in a moment.');
    if (this.#underWay >= atOnceMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay -= 1;
    }
  }
}

/** In threads of the library's own. */
async function shrunk(
  image: Image,
  { width, height, croppedHeight }: ReturnType<typeof sizeOf>,
): Promise<Buffer> {
  // Loaded with the first wish: most servers are never asked for one.
  const { default: sharp } = await import('sharp');
  const decoded = sharp(image.bytes, { limitInputPixels: image.width * image.height });
  const resized = width < image.width ? decoded.resize({ width, height, fit: 'fill' }) : decoded;
  return resized.extract({ left: 0, top: 0, width, height: croppedHeight }).png().toBuffer();
}
