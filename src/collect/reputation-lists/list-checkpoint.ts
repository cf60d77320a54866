/**
 * The checkpoint of a reputation list: which version the last complete snapshot was made from. An unreadable checkpoint counts as
 * none.
 */
import type { FileState } from '../input/located-file.ts';

export interface ListCheckpoint extends FileState {
  /** Digest of the list's settings: with other settings it is another list. */
  readonly settings: string;
  readonly reading: number;
  /** Number of listed domains. */
  readonly domains: number;
}

export function formatListCheckpoint(checkpoint: ListCheckpoint): string {
  return JSON.stringify(checkpoint);
}

export function findListCheckpoint(text: string | undefined): ListCheckpoint | undefined {
  try {
    const { version, etag, lastModified, settings, reading, domains } = Object(
      JSON.parse(text ?? 'null'),
    ) as Partial<ListCheckpoint>;
    const isCheckpoint =
      typeof version === 'string' &&
      typeof settings === 'string' &&
      Number.isSafeInteger(reading) &&
      Number.isSafeInteger(domains);
    if (!isCheckpoint) return undefined;
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
