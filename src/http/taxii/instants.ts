/** Times of TAXII 2.1 (2): RFC 3339 in UTC, to the microsecond. */

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/i;

export function microsecondText(microseconds: number): string {
  const ms = Math.floor(microseconds / 1000);
  const rest = String(microseconds % 1000).padStart(3, '0');
  return `${new Date(ms).toISOString().slice(0, -1)}${rest}Z`;
}

/** Undefined for what is no time. More digits than six are cut. */
export function findMicroseconds(text: string): number | undefined {
  const [, seconds, fraction = ''] = form.exec(text) ?? [];
  const ms = Date.parse(`${seconds?.toUpperCase()}Z`);
  if (Number.isNaN(ms)) return undefined;
  return ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
