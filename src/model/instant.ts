/**
 * Instants as callers write them: ISO 8601 with or without a time, or a negative number of seconds ago. Without a time zone a
 * text means Pacific time, summer time included, because the contract says so.
 */

const secondsAgo = /^-\d{1,12}$/;
const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|z|[+\- ]\d\d(?::?\d\d)?)?$/;
const dayMs = 86_400_000;

const pacific = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** Undefined for what is no instant. A plus sign that a query string turned into a space is read as one. */
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
  if (zone === undefined) return wallMs - pacificOffsetMs(wallMs);
  const offsetMs = findOffsetMs(zone);
  return offsetMs === undefined ? undefined : wallMs - offsetMs;
}

/** The first millisecond of `YYYY-MM-DD` in UTC; undefined for a day that does not exist. */
export function findDayMs(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms;
}

/** Days since 1970, as columns of records count them. */
export function findDayNumber(text: string): number | undefined {
  const ms = findDayMs(text);
  return ms === undefined ? undefined : ms / dayMs;
}

function findOffsetMs(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/**
 * How far a Pacific clock is from UTC when it shows `wallMs`. Of an hour that comes twice it is the first, and an hour that
 * is left out counts as the one after it.
 */
function pacificOffsetMs(wallMs: number): number {
  const before = offsetAt(wallMs - dayMs);
  if (offsetAt(wallMs - before) === before) return before;
  const after = offsetAt(wallMs + dayMs);
  return offsetAt(wallMs - after) === after ? after : before;
}

function offsetAt(instantMs: number): number {
  const parts = new Map(pacific.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shownMs = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return shownMs - Math.floor(instantMs / 1000) * 1000;
}
