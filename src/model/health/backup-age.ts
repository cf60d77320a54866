/** Whether a backup is due. */
import { dayMs } from '../durations.ts';

export interface BackupState {
  /** When the last one was made; undefined where none is known. */
  readonly lastMs: number | undefined;
  /** Since when there are data to back up. */
  readonly dataSinceMs: number;
}

/** What was just installed, or restored, has as long as any other. A limit of 0 days is none. */
export function isBackupOverdue(
  { lastMs, dataSinceMs }: BackupState,
  maxAgeDays: number,
  nowMs: number,
): boolean {
  return maxAgeDays > 0 && nowMs - (lastMs ?? dataSinceMs) > maxAgeDays * dayMs;
}
