/** Texts as they are compared: composed, without surrounding blanks, in lower case. What is shown stays as it came. */
export function fold(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
