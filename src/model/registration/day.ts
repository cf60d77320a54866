/** Days as registries write them. Where a time and its distance from UTC are given, the day is that of UTC. */
import { findDayMs } from '../instant.ts';

/** How dates of three numbers with slashes are meant: `03/02/2020`. */
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
const dayMs = 86_400_000;

const yearFirst = /(?<!\d)(\d{4})(?:[-/.]|\. )(\d{1,2})(?:[-/.]|\. )(\d{1,2})(?!\d)/;
const packed = /(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)/;
const yearLast = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?!\d)/;
const dayMonthName = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[-/. ]{1,2}([a-z]{3,9})\.?[-/., ]{1,2}(\d{4})(?!\d)/;
const monthNameDay = /\b([a-z]{3,9})\.?[- ]{1,2}(\d{1,2})(?:st|nd|rd|th)?(?:,? |-)(\d{4})(?!\d)/;
/** As `date` of Unix prints it: the year comes last of all. */
const unixDate = /\b([a-z]{3}) {1,2}(\d{1,2}) \d\d:\d\d:\d\d (?:[a-z]{2,5} |[+-]\d{4} )?(\d{4})\b/;
const monthAlone = /^(?:before )?([a-z]{3,9})[- ](\d{4})$/;
const yearMonthName = /(?<!\d)(\d{4})[- ]([a-z]{3,9})[- ](\d{1,2})(?!\d)/;
const timeWithOffset =
  /(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)? ?\(?(?:gmt|utc)? ?([+-])(\d{1,2}):?(\d\d)?(?!\d)/;

/** `YYYY-MM-DD`; undefined for what is no day between 1980 and 2199. */
export function findDay(text: string, order: DayOrder = 'day-first'): string | undefined {
  const told = text.slice(0, 80).toLowerCase().trim();
  const day = dayIn(told, order);
  if (day === undefined) return undefined;
  const [, hours, minutes, , sign, offsetHours, offsetMinutes = '0'] = timeWithOffset.exec(told) ?? [];
  if (hours === undefined) return day;
  const wallMinutes = Number(hours) * 60 + Number(minutes);
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const daysOff = Math.floor((wallMinutes - offset) / 1440);
  if (Math.abs(daysOff) > 1) return day;
  return new Date((findDayMs(day) ?? 0) + daysOff * dayMs).toISOString().slice(0, 10);
}

/** What the dates of one record say of their order: a thirteenth month there is not. */
export function orderOf(dates: readonly string[]): DayOrder {
  const isMonthFirst = dates.some(
    (date) => Number(/^\s*\d{1,2}\/(\d{1,2})\/\d{4}/.exec(date)?.[1] ?? 0) > 12,
  );
  return isMonthFirst ? 'month-first' : 'day-first';
}

/** The first form that gives a day which exists: others may fit by accident, as "41 GMT 2002" does. */
function dayIn(told: string, order: DayOrder): string | undefined {
  for (const read of forms) {
    const day = read(told, order);
    if (day !== undefined) return day;
  }
  return undefined;
}

type Form = (told: string, order: DayOrder) => string | undefined;

const forms: readonly Form[] = [
  matching(yearFirst, (year, month, day) => dayOf(year, Number(month), day)),
  matching(unixDate, (month, day, year) => dayOf(year, monthOf(month), day)),
  matching(packed, (year, month, day) => dayOf(year, Number(month), day)),
  (told, order) => {
    const [, first, separator, second, year] = yearLast.exec(told) ?? [];
    const isMonthFirst = Number(second) > 12 || (separator === '/' && order === 'month-first');
    return isMonthFirst ? dayOf(year, Number(first), second) : dayOf(year, Number(second), first);
  },
  matching(dayMonthName, (day, month, year) => dayOf(year, monthOf(month), day)),
  matching(monthNameDay, (month, day, year) => dayOf(year, monthOf(month), day)),
  matching(yearMonthName, (year, month, day) => dayOf(year, monthOf(month), day)),
  matching(monthAlone, (month, year) => dayOf(year, monthOf(month), '1')),
];

function matching(pattern: RegExp, read: (...groups: (string | undefined)[]) => string | undefined): Form {
  return (told) => {
    const match = pattern.exec(told);
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
