/**
 * Times and counts of all formats. Times are whole seconds from 0 to 2^32 - 1, so that milliseconds are refused instead of being
 * stored as the far future; fractions are cut off; a time without zone is UTC.
 */

const secondsMax = 0xffff_ffff;
const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?(?:[Zz]| ?UTC|([+-])(\d\d):?(\d\d))?$/;
const longestTime = 48;

function inRange(seconds: number): number | undefined {
  return seconds >= 0 && seconds < secondsMax + 1 ? Math.floor(seconds) : undefined;
}

function isoSeconds(text: string): number | undefined {
  const parts = isoTime.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 23 || minute > 59 || second > 60) return undefined;
  const offsetMinutes = Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0);
  const utcMinutes = hour * 60 + minute - (parts[7] === '-' ? -offsetMinutes : offsetMinutes);
  return inRange(date.getTime() / 1000 + utcMinutes * 60 + second);
}

export function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value !== 'string' || value.length > longestTime) return undefined;
  return /^\d{1,10}(?:\.\d*)?$/.test(value) ? inRange(Number(value)) : isoSeconds(value);
}

/** At least 1; a record without a count is one sighting. */
export function countOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return 1;
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) >= 1 ? (count as number) : undefined;
}
