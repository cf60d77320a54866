/** Parses dates as registries write them. Where a time with a UTC offset is given, the day is that in UTC. */
import { dayMs } from '../durations.ts';
import { findDayMs } from '../instant.ts';

/** How `03/02/2020` is meant. */
export type DayOrder = 'day-first' | 'month-first';

const months: readonly string[] = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
];

const yearFirst = /(?<!\d)(\d{4})(?:[-/.]|\. )(\d{1,2})(?:[-/.]|\. )(\d{1,2})(?!\d)/;
const packed = /(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?:\d{6})?(?!\d)/;
const yearLast = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?!\d)/;
const dayMonthName = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[-/. ]{1,2}([a-z]{3,9})\.?[-/., ]{1,2}(\d{4})(?!\d)/;
const monthNameDay = /\b([a-z]{3,9})\.?[- ]{1,2}(\d{1,2})(?:st|nd|rd|th)?(?:,? |-)(\d{4})(?!\d)/;
/** As printed by Unix `date`: the year comes last. */
const unixDate = /\b([a-z]{3}) {1,2}(\d{1,2}) \d\d:\d\d:\d\d (?:[a-z]{2,5} |[+-]\d{4} )?(\d{4})\b/;
const monthAlone = /^(?:before )?([a-z]{3,9})[- ](\d{4})$/;
const yearMonthName = /(?<!\d)(\d{4})[- ]([a-z]{3,9})[- ](\d{1,2})(?!\d)/;
const timeWithOffset =
  /(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)? ?\(?(?:gmt|utc)? ?([+-])(\d{1,2}):?(\d\d)?(?!\d)/;

/** `YYYY-MM-DD`; undefined for text that is not a day between 1980 and 2199. */
export function findDay(text: string, order: DayOrder = 'day-first'): string | undefined {
  const lower = text.slice(0, 80).toLowerCase().trim();
  const day = dayIn(lower, order);
  if (day === undefined) return undefined;
  const [, hours, minutes, , sign, offsetHours, offsetMinutes = '0'] = timeWithOffset.exec(lower) ?? [];
  if (hours === undefined) return day;
  const wallMinutes = Number(hours) * 60 + Number(minutes);
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const daysOff = Math.floor((wallMinutes - offset) / 1440);
  if (Math.abs(daysOff) > 1) return day;
  return new Date((findDayMs(day) ?? 0) + daysOff * dayMs).toISOString().slice(0, 10);
}

/** The order that the dates of one record imply: there is no thirteenth month. */
export function orderOf(dates: readonly string[]): DayOrder {
  const isMonthFirst = dates.some(
    (date) => Number(/^\s*\d{1,2}\/(\d{1,2})\/\d{4}/.exec(date)?.[1] ?? 0) > 12,
  );
  return isMonthFirst ? 'month-first' : 'day-first';
}

/** The first format that yields an existing day; others may match by accident, as "41 GMT 2002" does. */
function dayIn(lower: string, order: DayOrder): string | undefined {
  for (const read of forms) {
    const day = read(lower, order);
    if (day !== undefined) return day;
  }
  return undefined;
}

type Form = (lower: string, order: DayOrder) => string | undefined;

const forms: readonly Form[] = [
  matching(yearFirst, (year, month, day) => dayOf(year, Number(month), day)),
  matching(unixDate, (month, day, year) => dayOf(year, monthOf(month), day)),
  matching(packed, (year, month, day) => dayOf(year, Number(month), day)),
  (lower, order) => {
    const [, first, separator, second, year] = yearLast.exec(lower) ?? [];
    const isMonthFirst = Number(second) > 12 || (separator === '/' && order === 'month-first');
    return isMonthFirst ? dayOf(year, Number(first), second) : dayOf(year, Number(second), first);
  },
  matching(dayMonthName, (day, month, year) => dayOf(year, monthOf(month), day)),
  matching(monthNameDay, (month, day, year) => dayOf(year, monthOf(month), day)),
  matching(yearMonthName, (year, month, day) => dayOf(year, monthOf(month), day)),
  matching(monthAlone, (month, year) => dayOf(year, monthOf(month), '1')),
];

function matching(pattern: RegExp, read: (...groups: (string | undefined)[]) => string | undefined): Form {
  return (lower) => {
    const match = pattern.exec(lower);
    return match === null ? undefined : read(...match.slice(1));
  };
}

function monthOf(name = ''): number {
  return months.indexOf(name.slice(0, 3)) + 1;
}

function dayOf(year = '', month = 0, day = ''): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const isLikely = Number(year) >= 1980 && Number(year) <= 2199;
  return isLikely && findDayMs(text) !== undefined ? text : undefined;
}
