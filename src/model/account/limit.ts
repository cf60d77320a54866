/**
 * Rate limits and their windows. A sliding window covers any interval of its length (so "30 a minute" can never become 60 around the
 * start of a minute); a calendar window restarts at fixed UTC times; a block is never refilled; a bucket (token bucket) is full at first and
 * refilled steadily.
 */
import { daySeconds, hourSeconds, minuteSeconds } from '../durations.ts';

export type LimitWindow =
  | { readonly kind: 'sliding'; readonly seconds: number }
  | { readonly kind: 'calendar'; readonly period: CalendarPeriod }
  | { readonly kind: 'block' }
  | { readonly kind: 'bucket'; readonly perSecond: number };

/** A calendar month, or a number of seconds counted from the epoch: 86400 is the UTC day. */
export type CalendarPeriod = 'month' | number;

export const dayPeriod: CalendarPeriod = daySeconds;

export interface Limit {
  /** The word for the window in messages and in the counter's name: minute, hour, day, month, absolute, burst, quota, second. */
  readonly name: string;
  readonly size: number;
  readonly window: LimitWindow;
}

/** A limit with the subject whose use it counts, such as `account:<id>/intel-enrich` or `key:<id>/pdns`. */
export interface CountedLimit extends Limit {
  readonly subject: string;
  /** How much one charge counts, 1 by default. Sliding windows count charges, so it is for the other windows only. */
  readonly amount?: number;
  /** For the message of a refusal: what is counted, the product by default, and how to do without. */
  readonly counted?: string;
  readonly advice?: string;
}

export const perMinute = (size: number): Limit => sliding('minute', size, minuteSeconds);
export const perHour = (size: number): Limit => sliding('hour', size, hourSeconds);
export const perUtcHour = (name: string, size: number): Limit => calendar(name, size, hourSeconds);
export const perDay = (size: number): Limit => calendar('day', size, dayPeriod);
export const perMonth = (size: number): Limit => calendar('month', size, 'month');
export const burst = (size: number, seconds: number): Limit => sliding('burst', size, seconds);
export const absolute = (size: number): Limit => ({ name: 'absolute', size, window: { kind: 'block' } });

/** A burst of `size` at once, then as many per second as given. */
export const bucket = (size: number, perSecond: number): Limit => ({
  name: 'second',
  size,
  window: { kind: 'bucket', perSecond },
});

export function sliding(name: string, size: number, seconds: number): Limit {
  return { name, size, window: { kind: 'sliding', seconds } };
}

export function calendar(name: string, size: number, period: CalendarPeriod): Limit {
  return { name, size, window: { kind: 'calendar', period } };
}

/** The calendar window that contains `nowMs`: its first millisecond and the first one after it. */
export function calendarWindow(period: CalendarPeriod, nowMs: number): { startMs: number; endMs: number } {
  if (period === 'month') {
    const now = new Date(nowMs);
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
  }
  const lengthMs = period * 1000;
  const startMs = Math.floor(nowMs / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}
