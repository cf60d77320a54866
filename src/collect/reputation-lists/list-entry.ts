/** A raw entry of a reputation list, not yet validated. */
import type { FileState } from '../input/located-file.ts';

export interface ListEntry {
  /** A domain, host or URL; empty for a line that should have one and does not. */
  readonly text: string;
  /** Where the line has one. */
  readonly rank?: number;
}

/** A list that differs from the last snapshot. */
export interface FoundList {
  /** To detect the next change. */
  readonly state: FileState;
  /** Throws where the list cannot be read to its end. */
  entries(): AsyncIterable<readonly ListEntry[]>;
  /** Deletes the download. */
  release(): Promise<void>;
}
