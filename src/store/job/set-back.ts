import { reorderingMs } from '../../concurrency/reordering.ts';

/** Whether a clock that had been at the latest time was set back since. */
export function isSetBack(nowMs: number, latestMs: number): boolean {
  return latestMs > nowMs + reorderingMs;
}
