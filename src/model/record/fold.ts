import { isPlainText } from './plain-text.ts';

/** Folds a text for comparison: Unicode NFC, whitespace collapsed and trimmed, lower case. */
export function fold(text: string): string {
  if (isPlainText(text)) return text.toLowerCase();
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
