/**
 * Records as CSV rows (RFC 4180), protected against CSV injection (https://owasp.org/www-community/attacks/CSV_Injection): a text that a
 * spreadsheet would take for a formula, beginning with = + - @, gets an apostrophe in front. Numbers stay unchanged.
 */
const formula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

export function headerRow(members: readonly string[]): string {
  return `${members.join(',')}\r\n`;
}

export function csvRow(record: Readonly<Record<string, unknown>>, members: readonly string[]): string {
  return `${members.map((member) => cell(record[member])).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
