/** Text of third parties in pieces: characters that a reader cannot see are shown as their code points. */
import { codePoint, isUnseen } from '../../../src/model/triage/unseen-characters.ts';
import { type Foreign, plain } from './foreign.ts';

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
