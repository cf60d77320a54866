/** The time of expiry between the server, which has an instant, and the field, which has a local time without a zone. */

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `2026-12-31T18:00` in the zone of the browser. */
export function localTimeOf(instant: string | null): string {
  if (instant === null) return '';
  const time = new Date(instant);
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${day}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** Null for an empty field; undefined for what is no time. */
export function instantOf(local: string): string | null | undefined {
  if (local === '') return null;
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
