/** Minutes since 1970 and the two ways in which the batch API writes them. All of it is UTC. */

const minuteMs = 60_000;

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

/** `invalid`: the form is right, but there is no such day or hour. Seconds must be there, and are left out. */
export function readMinute(text: string): number | 'malformed' | 'invalid' {
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

/** `Date.parse` reads the 30th of February as the 2nd of March, and 24:00 as the day after. */
function findMinute(iso: string): number | undefined {
  const ms = Date.parse(`${iso}Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== iso) return undefined;
  return minuteOf(ms);
}
