/**
 * Parses times of API parameters: ISO 8601 with or without a time of day, or a negative number of seconds ago. Without a time zone a
 * time is Pacific, with daylight saving, as the contract requires.
 */
import { dayMs, minuteMs } from './durations.ts';
import { TimeZone } from './time-zone.ts';

const secondsAgo = /^-\d{1,12}$/;
const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|z|[+\- ]\d\d(?::?\d\d)?)?$/;

const pacific = new TimeZone('America/Los_Angeles');

/** Undefined for an invalid time. A space before the offset is read as the plus sign that a query string lost. */
export function findInstantMs(text: string, nowMs: number): number | undefined {
  if (secondsAgo.test(text)) return nowMs + Number(text) * 1000;
  const match = form.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const dateMs = findDayMs(`${year}-${month}-${day}`);
  if (dateMs === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + milliseconds;
  const wallMs = dateMs + timeMs;
  if (zone === undefined) return pacific.instantMs(wallMs);
  const offsetMs = findOffsetMs(zone);
  return offsetMs === undefined ? undefined : wallMs - offsetMs;
}

/** The first millisecond of `YYYY-MM-DD` in UTC; undefined for a day that does not exist. */
export function findDayMs(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms;
}

/** Days since 1970, as in the columns of records. */
export function findDayNumber(text: string): number | undefined {
  const ms = findDayMs(text);
  return ms === undefined ? undefined : ms / dayMs;
}

function findOffsetMs(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}
