/** How far a list is evaluated into a collection that has begun: where the last step ended, as JSON. */
export interface FoundName {
  readonly name: string;
  readonly ms: number;
  readonly number: number;
}

/** `filled` as it was returned, `{}` at first. */
export function cursorOf(filled: string): FoundName {
  return { name: '', ms: -1, number: -1, ...(JSON.parse(filled) as Partial<FoundName>) };
}

/** The cursor after a step; null where these are the last names. */
export function filledAfter(found: readonly FoundName[], limit: number): string | null {
  const last = found.at(-1);
  if (found.length < limit || !last) return null;
  const { name, ms, number } = last;
  return JSON.stringify({ name, ms, number });
}
