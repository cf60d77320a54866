/** The size options of an image. It only ever gets smaller: first it is scaled to a width, then cropped at the bottom to a height. */
import { Problem } from '../../model/problem.ts';

export interface SizeOptions {
  readonly resizeWidth: number | undefined;
  readonly cropHeight: number | undefined;
}

export interface ImageSize {
  /** Of the whole image, scaled. */
  readonly width: number;
  readonly height: number;
  /** The height after cropping. */
  readonly croppedHeight: number;
}

/** Any positive integer; a value larger than the image leaves it unchanged. */
export function parsePixels(text: string, name: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new Problem('invalid-parameters', `${name} must be a positive integer.`, {
      fields: { [name]: ['must be a positive integer'] },
    });
  }
  return Number(text);
}

export function sizeOf(
  image: { readonly width: number; readonly height: number },
  options: SizeOptions,
): ImageSize {
  const width = Math.min(options.resizeWidth ?? image.width, image.width);
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  return { width, height, croppedHeight: Math.min(options.cropHeight ?? height, height) };
}
