/** The words of WHOIS texts, for storing and for searching alike: letters and digits, separated by single spaces. */
import { hash } from 'node:crypto';
import { foldedText } from './value-keys.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, control characters included
const ascii = /^[\0-\x7f]*$/;

/** Nearly all texts are ASCII, and those are tokenized four times as fast. */
export function wordsOf(text: string): string {
  if (ascii.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
  return (foldedText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
}

export function digestOfWords(words: string): Buffer {
  return hash('sha256', words, 'buffer').subarray(0, 16);
}

/** A heuristic: words with digits are rarest, and long words are rarer than short ones. */
export function rarestFirst(phrase: string): readonly string[] {
  const rarity = (word: string) => word.length + (/\d/.test(word) ? 100 : 0);
  return [...new Set(phrase.split(' '))].sort((left, right) => rarity(right) - rarity(left));
}

/** At most three words of a phrase, the rarest, in their order; undefined where the phrase is not ASCII. */
export function asciiWordsOf(phrase: string): readonly string[] | undefined {
  if (!ascii.test(phrase)) return undefined;
  const rarest = new Set(rarestFirst(phrase).slice(0, 3));
  return [...new Set(phrase.split(' '))].filter((word) => rarest.has(word));
}
