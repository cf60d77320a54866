import type { Offset } from '../stream-store.ts';

/** Before the first line of a stream that is stored. */
export interface StreamStart {
  readonly byte: Offset;
  /** Lines that were ever before it. */
  readonly line: number;
}

/** The lines of one minute: from one offset up to but excluding another. */
export interface StreamMinute {
  readonly minute: number;
  readonly from: Offset;
  readonly to: Offset;
}
