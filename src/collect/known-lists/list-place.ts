/** What is kept with a list of its last whole reading. A place that cannot be read is none: the list is read again. */
import type { FileState } from '../sources/located-file.ts';

export interface ListPlace extends FileState {
  /** A digest of the settings of the list: under others it is another list. */
  readonly settings: string;
  readonly reading: number;
  /** How many domains it named. */
  readonly domains: number;
}

export function placeText(place: ListPlace): string {
  return JSON.stringify(place);
}

export function findPlace(text: string | undefined): ListPlace | undefined {
  try {
    const { version, etag, lastModified, settings, reading, domains } = Object(
      JSON.parse(text ?? 'null'),
    ) as Partial<ListPlace>;
    const isPlace =
      typeof version === 'string' &&
      typeof settings === 'string' &&
      Number.isSafeInteger(reading) &&
      Number.isSafeInteger(domains);
    if (!isPlace) return undefined;
    return {
      version,
      settings,
      reading: Number(reading),
      domains: Number(domains),
      ...(typeof etag === 'string' && { etag }),
      ...(typeof lastModified === 'string' && { lastModified }),
    };
  } catch {
    return undefined;
  }
}
