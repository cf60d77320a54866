import { controlCharacters } from './hidden-characters.ts';

const controls = new RegExp(`[${controlCharacters}]`, 'gu');

/** Escapes control and bidirectional characters, so that untrusted text cannot inject terminal sequences. */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(controls, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
