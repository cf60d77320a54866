/** Validates lines of a channel. Lines are stored as received, so that numbers keep their digits and texts their escapes. */

/** Why a line is invalid; undefined for a valid line. The caller skips blank lines. */
export function findLineFault(line: string, mimetype: string): string | undefined {
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

export function isJsonLines(mimetype: string): boolean {
  return /^application\/(?:x-)?(?:ndjson|jsonlines?)\b/i.test(mimetype);
}
