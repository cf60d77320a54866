/** Control and direction-changing characters are shown as their code, so that no name or title can drive a terminal. */
export function harmless(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
