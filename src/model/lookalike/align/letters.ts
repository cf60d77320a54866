/** The letters of a text, without dots, hyphens and combining marks, and their positions in it. */
import { symbolsOf } from '../fold/fold.ts';

export interface Letters {
  readonly text: string;
  readonly characters: readonly string[];
  /** The folded symbols of each. */
  readonly folds: readonly string[];
  /** The offsets in the text at which each begins and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export function lettersOf(text: string): Letters {
  const characters: string[] = [];
  const folds: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const fold = symbolsOf(character);
    if (fold !== '') {
      characters.push(character);
      folds.push(fold);
      starts.push(at);
      ends.push(at + character.length);
    }
    at += character.length;
  }
  return { text, characters, folds, starts, ends };
}
