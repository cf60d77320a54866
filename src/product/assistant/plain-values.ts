/** Values in forms that cannot hold a sentence; what has another form than it should is left out. */

/** Two lower-case letters. */
export function countryCode(text: string | undefined): string | undefined {
  return text !== undefined && /^[a-z]{2}$/.test(text) ? text : undefined;
}

/** `2026-03-04`, of a day or an instant. */
export function day(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\d(?:T|$)/.test(text) ? text.slice(0, 10) : undefined;
}

export function dayOfMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Without fractions of a second. */
export function instantOfMs(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Without members that are undefined. */
export function defined<Members extends object>(
  members: Members,
): { [Name in keyof Members]: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
