/** Escapes control and bidirectional characters, so that untrusted text cannot inject terminal sequences. */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
