/** Result snapshots of lists. Each account keeps few of them, and each for a day at most. */
import { dayMs } from '../../../model/durations.ts';

/** Lists that people work through are kept for each person. */
export type SnapshotList = 'new' | 'watched' | 'ignored' | 'monitors' | `triage ${string}`;

export interface ListSnapshot {
  readonly total: number;
  /** Their numbers. */
  readonly rows: readonly number[];
}

/** Of one list of an account; when there are more, the oldest goes. */
export const snapshotsPerListMax = 8;
export const snapshotLifetimeMs = dayMs;
