/** Where bytes were not UTF-8, a part of a name or text has been lost, and storing what is left of it would be a lie. */
export function hasLostBytes(text: string): boolean {
  return text.includes('\uFFFD');
}
