/** Folds a text for comparison: Unicode NFC, whitespace collapsed and trimmed, lower case. */
export function fold(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
