/** What the scans of this folder have in common: they work in slices, and resume in whatever segments are live by then. */
import type { OpenSegment } from '../open-segment.ts';
import type { TableName } from '../segment/segment-files.ts';

/** Keys read between two checks of the time, since a check costs as much as reading a few keys. */
export const keysPerTimeCheck = 64;

/** A slice ends when the keys of its items have this many bytes: records may be large, and a client may stop reading them. */
export const sliceKeyBytesMax = 32_768;

export interface ResumableScan<Item> {
  /** What it reads of each segment. */
  readonly tables: readonly TableName[];
  /** Opens the scan in these segments, after the last key it read. */
  rebind(segments: readonly OpenSegment[]): void;
  /** Adds items until there are enough or the time is up; true when the scan is complete. */
  gather(items: Item[], itemsMax: number, untilMs: number): boolean;
  /** Frees cursors and caches; only its position is kept, from which `rebind` resumes. */
  release(): void;
}

/** The rows of an offset that are still to be skipped, shared by the subscans of one scan. */
export interface Skip {
  left: number;
}
