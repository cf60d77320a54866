/** What the report of a part means at a given time. */
import { minuteMs } from '../durations.ts';
import type { PartReport } from './part-report.ts';

/** Worst first: the order in which an operator reads them. */
export const partStates = ['failing', 'late', 'working', 'starting', 'idle', 'off'] as const;
export type PartState = (typeof partStates)[number];

/** A part is late after this many of its intervals without a success, and never before five minutes. */
const lateAfterIntervals = 3;
const lateAfterMs = 5 * minuteMs;
/** A success or failure within this time says how a part without interval is. */
const recentMs = 10 * minuteMs;

export function partState(part: PartReport, nowMs: number): PartState {
  if (part.off !== undefined) return 'off';
  const { lastSuccessMs, lastFailureMs = 0, everyMs, startedMs } = part;
  // What has no interval and no work cannot show that it works again.
  const isRecent = everyMs !== undefined || nowMs - lastFailureMs <= recentMs;
  if (part.failuresInRow > part.failuresUsual && isRecent) return 'failing';
  const sinceMs = nowMs - (lastSuccessMs ?? startedMs);
  if (everyMs !== undefined && sinceMs > Math.max(everyMs * lateAfterIntervals, lateAfterMs)) return 'late';
  if (lastSuccessMs === undefined) return everyMs === undefined ? 'idle' : 'starting';
  return everyMs !== undefined || sinceMs <= recentMs ? 'working' : 'idle';
}
