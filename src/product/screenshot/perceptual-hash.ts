/** The perceptual hash of a screenshot, over its first screenful: how far a page goes on below does not make it another. */
import { differenceHash, hashColumns, hashRows } from '../../model/picture/difference-hash.ts';
import { loadSharp } from './load-sharp.ts';

/** Pixels without their encoding, or an encoded image. */
export interface Pixels {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** Of pixels without an encoding. */
  readonly channels?: 1 | 2 | 3 | 4;
}

/** Height to width of a screenful. */
const screenRatio = 3 / 4;

/** Runs in sharp's own threads. Throws for bytes that are no image. */
export async function perceptualHash({ bytes, width, height, channels }: Pixels): Promise<string> {
  const sharp = await loadSharp();
  const source =
    channels === undefined
      ? sharp(bytes, { limitInputPixels: width * height })
      : sharp(bytes, { raw: { width, height, channels } });
  const screen = {
    left: 0,
    top: 0,
    width,
    height: Math.max(1, Math.min(height, Math.round(width * screenRatio))),
  };
  // Extracted into pixels first: sharp would otherwise be free to resize before it extracts.
  const { data, info } = await source
    .extract(screen)
    .removeAlpha()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = await sharp(data, {
    raw: { width: info.width, height: info.height, channels: info.channels },
  })
    .resize({ width: hashColumns, height: hashRows, fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return differenceHash(grey);
}
