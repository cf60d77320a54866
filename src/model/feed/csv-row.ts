/**
 * Records as rows of CSV after RFC 4180. Spreadsheets take a cell that begins with = + - @ for a formula, and names,
 * organizations and cities come from strangers: such text gets an apostrophe in front. Numbers stay as they are.
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
  const harmless = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
