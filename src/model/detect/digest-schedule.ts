/** When a daily digest is sent: at an hour of chosen days of the week, in a time zone, daylight saving included. */
import { dayMs, hourMs } from '../durations.ts';
import { TimeZone } from '../time-zone.ts';

export interface DigestSchedule {
  readonly hour: number;
  /** IANA name. */
  readonly zone: string;
  /** As in ISO 8601: 1 is Monday, 7 is Sunday. At least one. */
  readonly weekdays: readonly number[];
}

/** The first scheduled time after an instant. On the day on which an hour is skipped, the digest comes as much later. */
export function nextScheduledMs({ hour, zone, weekdays }: DigestSchedule, afterMs: number): number {
  const timeZone = new TimeZone(zone);
  const localDay = Math.floor((afterMs + timeZone.offsetMs(afterMs)) / dayMs);
  for (let day = localDay; ; day += 1) {
    if (!weekdays.includes(isoWeekday(day))) continue;
    const atMs = timeZone.instantMs(day * dayMs + hour * hourMs);
    if (atMs > afterMs) return atMs;
  }
}

/** The first of January 1970, day 0, was a Thursday. */
function isoWeekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}
