/** How many requests a month will have, if the days to come are like those before. */
import { dayMs } from '../durations.ts';
import { calendarWindow } from './limit.ts';

/** Whole days before today that the average is taken from. */
export const projectedFromDays = 7;

export interface Projection {
  /** By the end of the month. */
  readonly month: number;
  /** Requests a day, on average. */
  readonly perDay: number;
  /** When the limit would be reached; left out where it would not be, or where there is none. */
  readonly reachedMs?: number;
}

/** `days`: requests of each of the last days, today last. Undefined where nothing is known of the days before today. */
export function projectMonth(
  used: number,
  days: readonly number[],
  { limit, nowMs }: { readonly limit?: number | undefined; readonly nowMs: number },
): Projection | undefined {
  const before = days.slice(0, -1).slice(-projectedFromDays);
  // Days before the first request say nothing about those to come.
  const from = before.findIndex((count) => count > 0);
  if (from === -1) return undefined;
  const known = before.slice(from);
  const perDay = known.reduce((sum, count) => sum + count, 0) / known.length;
  const { endMs } = calendarWindow('month', nowMs);
  const month = Math.round(used + (perDay * (endMs - nowMs)) / dayMs);
  if (limit === undefined || month < limit) return { month, perDay };
  const reachedMs = used >= limit ? nowMs : nowMs + ((limit - used) / perDay) * dayMs;
  return { month, perDay, reachedMs };
}
