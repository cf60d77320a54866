/** Characters that a reader cannot see, or that change the direction of reading. They are shown as their code points. */
import { type Foreign, plain } from './foreign.ts';

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;
/** In a name a combining mark changes the letter before it, and a space is not a space. */
const unseenInName = new RegExp(`${unseen.source.slice(0, -1)}\\p{M}\\p{Zs}]`, 'u');

export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

export const isUnseen = (character: string): boolean => unseen.test(character);
export const isUnseenInName = (character: string): boolean => unseenInName.test(character);

export interface TextPiece {
  readonly text: string;
  /** The text is the code point of a character that cannot be seen. */
  readonly boxed: boolean;
}

const charactersMax = 2000;

/** At most 2,000 characters of it, in pieces. `lines`: line feeds are what they are. */
export function textPieces(of: Foreign, lines = false): readonly TextPiece[] {
  const all = plain(of);
  const text = all.length > charactersMax ? `${all.slice(0, charactersMax)}…` : all;
  if (/^[\x20-\x7e]*$/.test(text)) return [{ text, boxed: false }];
  const pieces: { text: string; boxed: boolean }[] = [];
  for (const character of text) {
    const boxed = isUnseen(character) && !(lines && character === '\n');
    const last = pieces.at(-1);
    if (last && !boxed && !last.boxed) last.text += character;
    else pieces.push({ text: boxed ? codePoint(character) : character, boxed });
  }
  return pieces;
}

/** For attributes and labels, which cannot hold elements: what cannot be seen is spelled out. */
export function spelledOut(of: Foreign): string {
  return textPieces(of)
    .map(({ text, boxed }) => (boxed ? ` ${text} ` : text))
    .join('');
}
