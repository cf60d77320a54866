/** The windows in which use is counted, named by their first millisecond. */
import { type CountedLimit, calendarWindow, dayPeriod } from '../../model/account/limit.ts';
import type { Tally } from '../usage-store.ts';

/**
 * Windows remembered per counter. The oldest is forgotten when this many newer ones were entered, not at a time: a clock that is ahead
 * must not make the present forgotten.
 */
export const windowsKept = 8;

export interface TallyRow {
  readonly item: string;
  readonly period: 'day' | 'month';
  readonly used: number;
}

export function periodsOf(nowMs: number): { dayMs: number; monthMs: number } {
  return {
    dayMs: calendarWindow(dayPeriod, nowMs).startMs,
    monthMs: calendarWindow('month', nowMs).startMs,
  };
}

/** A block has the one window 0. */
export function windowStart(limit: CountedLimit, nowMs: number): number {
  return limit.window.kind === 'calendar' ? calendarWindow(limit.window.period, nowMs).startMs : 0;
}

/** The items of the current month, from the rows of its day and month. */
export function talliesByItem(rows: readonly TallyRow[]): ReadonlyMap<string, Tally> {
  const today = new Map(rows.filter(({ period }) => period === 'day').map(({ item, used }) => [item, used]));
  return new Map(
    rows
      .filter(({ period }) => period === 'month')
      .map(({ item, used }) => [item, { today: today.get(item) ?? 0, month: used }]),
  );
}
