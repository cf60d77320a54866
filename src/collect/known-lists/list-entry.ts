/** What a list names, before anybody has looked at it. */
import type { FileState } from '../sources/located-file.ts';

export interface ListEntry {
  /** A name, a host or a URL; empty for a line that should hold one and does not. */
  readonly text: string;
  /** Where the line tells it. */
  readonly rank?: number;
}

/** A list that is another than the one that was read last. */
export interface FoundList {
  /** To know it again. */
  readonly state: FileState;
  /** Throws where it cannot be read to its end. */
  entries(): AsyncIterable<readonly ListEntry[]>;
  /** It is no longer read. */
  release(): Promise<void>;
}
