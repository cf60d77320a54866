/** Re-encodes an image from the browser: its pixels and nothing else. */
import { webcrypto } from 'node:crypto';
import { loadSharp } from '../../product/screenshot/load-sharp.ts';
import { perceptualHash } from '../../product/screenshot/perceptual-hash.ts';
import type { Image } from '../../store/image-store.ts';

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Throws for bytes that are not a PNG, or one with too many pixels. */
export async function cleanImage(png: Uint8Array, pixelsMax: number): Promise<Image> {
  // The library sniffs the format, and some of the formats it knows can contain code.
  if (!pngSignature.equals(png.subarray(0, pngSignature.length))) throw new Error('not a PNG');
  const sharp = await loadSharp();
  const decoded = sharp(png, { limitInputPixels: pixelsMax, failOn: 'error' });
  const { data, info } = await decoded
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  // Not `createHash`, which would block this thread.
  const digest = await webcrypto.subtle.digest('SHA-256', data);
  const bytes = await sharp(data, { raw: { width, height, channels } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const pixelHash = Buffer.from(digest).toString('hex');
  return {
    bytes,
    mimetype: 'image/png',
    width,
    height,
    pixelHash,
    perceptualHash: await perceptualHash({ bytes: data, width, height, channels }),
  };
}
