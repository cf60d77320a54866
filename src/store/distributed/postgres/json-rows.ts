/**
 * Rows as one parameter, for `json_to_recordset`: one statement writes them all, whatever the types of their columns. What PostgreSQL has no text
 * for becomes the replacement character, as in other parameters: a NUL character, and half of a surrogate pair.
 */
export function jsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  );
}
