/** A text as its letters: what divides them, and marks upon them, is left out. */
import { symbolsOf } from './fold.ts';

export interface Letters {
  readonly text: string;
  readonly characters: readonly string[];
  /** What each is folded to. */
  readonly folds: readonly string[];
  /** Where in the text each begins and ends. */
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
