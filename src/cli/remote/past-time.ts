/** Times of the past as people write them: 30d, 2h, a date, epoch seconds. */
import { InvalidArgumentError } from 'commander';
import { dayMs, hourMs, minuteMs } from '../../model/durations.ts';

const unitSeconds: Readonly<Record<string, number>> = {
  w: (7 * dayMs) / 1000,
  d: dayMs / 1000,
  h: hourMs / 1000,
  m: minuteMs / 1000,
  s: 1,
};

/** `30d`, `1w12h`; seconds. */
export function readDuration(text: string): number {
  const given = text.replace(/^-/, '');
  if (!/^(?:\d{1,9}[wdhms])+$/.test(given))
    throw new InvalidArgumentError('Expected a time such as 30d, 12h or 1w2d.');
  let seconds = 0;
  for (const [, number, unit = ''] of given.matchAll(/(\d+)([wdhms])/g))
    seconds += Number(number) * (unitSeconds[unit] ?? 0);
  return seconds;
}

/** Epoch seconds, negative for so many seconds ago: as passive DNS takes it, and dnsdbq writes it. */
export function readPastTime(text: string): number {
  if (/^-\d{1,15}$/.test(text) || /^\d{9,15}$/.test(text)) return Number(text);
  if (/^-?(?:\d{1,9}[wdhms])+$/.test(text)) return -readDuration(text);
  const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?(Z?)$/.exec(text);
  const ms = form ? Date.parse(`${form[1]}T${form[2] ?? '00:00:00'}Z`) : Number.NaN;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError(
      'Expected a time such as 2026-01-31, 2026-01-31T12:00:00Z, 30d or epoch seconds.',
    );
  return Math.floor(ms / 1000);
}
