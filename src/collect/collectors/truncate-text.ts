/** Cuts a text to a length without splitting a surrogate pair. */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const last = text.charCodeAt(lengthMax - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? lengthMax - 1 : lengthMax);
}
