/** Minutes since 1970 and their two text forms in the batch API. All times are UTC. */
import { minuteMs } from './durations.ts';

export function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}

/** `2026-01-28 12:05:00` */
export function minuteText(minute: number): string {
  return isoOf(minute).slice(0, 19).replace('T', ' ');
}

/** `20260128.1205` */
export function compactMinuteText(minute: number): string {
  return isoOf(minute).slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '.');
}

/** `invalid`: well-formed, but there is no such day or hour. Seconds are required and ignored. */
export function parseMinute(text: string): number | 'malformed' | 'invalid' {
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return 'malformed';
  return findMinute(`${date}T${time}`) ?? 'invalid';
}

export function findCompactMinute(text: string): number | undefined {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)\.(\d\d)(\d\d)$/.exec(text) ?? [];
  return year === undefined ? undefined : findMinute(`${year}-${month}-${day}T${hour}:${minute}:00`);
}

function isoOf(minute: number): string {
  return new Date(minute * minuteMs).toISOString();
}

/** `Date.parse` reads February 30 as March 2, and 24:00 as the next day. */
function findMinute(iso: string): number | undefined {
  const ms = Date.parse(`${iso}Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== iso) return undefined;
  return minuteOf(ms);
}
