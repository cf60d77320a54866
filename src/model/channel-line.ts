/** What may be a line of a channel. Lines are kept as they came, so that a number keeps its digits and a text its escapes. */

/** Why a line cannot be one; undefined for a good line. Blank lines are for the caller to pass over. */
export function faultOfLine(line: string, mimetype: string): string | undefined {
  if (!isJsonLines(mimetype)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  } catch {
    return 'is not valid JSON';
  }
  return 'is not a JSON object';
}

export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

function isJsonLines(mimetype: string): boolean {
  return /^application\/(?:x-)?(?:ndjson|jsonlines?)\b/i.test(mimetype);
}
