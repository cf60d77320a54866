/** In which size an image is wished for. It only ever gets smaller: first as a whole by its width, then at the bottom by its height. */
import { Problem } from '../../model/problem.ts';

export interface SizeWishes {
  readonly resizeWidth: number | undefined;
  readonly cropHeight: number | undefined;
}

export interface ImageSize {
  /** Of the whole image, shrunk. */
  readonly width: number;
  readonly height: number;
  /** What is left of its height. */
  readonly croppedHeight: number;
}

/** Any positive integer: what is larger than every image asks for the image as it is. */
export function readPixels(text: string, name: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new Problem('invalid-parameters', `${name} must be a positive integer.`, {
      fields: { [name]: ['must be a positive integer'] },
    });
  }
  return Number(text);
}

export function sizeOf(
  image: { readonly width: number; readonly height: number },
  wishes: SizeWishes,
): ImageSize {
  const width = Math.min(wishes.resizeWidth ?? image.width, image.width);
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  return { width, height, croppedHeight: Math.min(wishes.cropHeight ?? height, height) };
}
