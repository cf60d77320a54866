/** Times of a timeline in writing: as exact as its columns. */
import { timelineWords as words } from '../../../words/campaigns/campaign-words.ts';
import type { TimeAxis } from './time-axis.ts';
import type { Dot } from './timeline-rows.ts';

type Zone = 'local' | 'utc';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function lengthWords(ms: number): string {
  if (ms < 2 * hourMs) return words.minutes(Math.max(1, Math.round(ms / minuteMs)));
  if (ms < 2 * dayMs) return words.hours(Math.round(ms / hourMs));
  return words.days(Math.round(ms / dayMs));
}

const formatter = (zone: Zone, options: Intl.DateTimeFormatOptions): ((ms: number) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...options,
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  });
  return (ms) => format.format(ms);
};

export const dayFormat = (zone: Zone) => formatter(zone, { dateStyle: 'medium' });

/** Of the ends of the axis and what lies between: clock times within two days, months over years. */
export function tickFormat({ startMs, endMs }: TimeAxis, zone: Zone): (ms: number) => string {
  const span = endMs - startMs;
  if (span < 2 * dayMs) return formatter(zone, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  if (span < 300 * dayMs) return formatter(zone, { day: 'numeric', month: 'short' });
  return formatter(zone, { month: 'short', year: 'numeric' });
}

export function whenWords({ fromMs, toMs }: Dot, axis: TimeAxis, zone: Zone): string {
  const isShort = axis.columnMs < dayMs;
  const format = isShort ? formatter(zone, { dateStyle: 'medium', timeStyle: 'short' }) : dayFormat(zone);
  return words.between(format(fromMs), format(toMs));
}
