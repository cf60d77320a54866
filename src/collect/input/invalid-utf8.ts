/** Whether decoding replaced invalid UTF-8. Such text is not stored, because part of it is lost. */
export function hasInvalidUtf8(text: string): boolean {
  return text.includes('\uFFFD');
}
