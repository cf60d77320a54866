/**
 * Weak homoglyphs: letters, or groups of letters, mistaken for one another only at a careless glance. The relation is the table
 * in `fold/tables/ascii-homoglyphs.ts` applied up to twice, on folded symbols.
 */
import { foldOf, symbolsOf } from '../fold/fold.ts';
import { weakHomoglyphs } from '../fold/tables/ascii-homoglyphs.ts';

const alike = new Map<string, Set<string>>();
for (const [letter, other] of weakHomoglyphs) {
  alike.set(letter, (alike.get(letter) ?? new Set()).add(other));
  if (other.length === 1) alike.set(other, (alike.get(other) ?? new Set()).add(letter));
}

/** Every text in which one letter, or all its occurrences, is replaced by a weak homoglyph. */
function mistaken(text: string): string[] {
  return Array.from(text, (letter, at) =>
    [...(alike.get(letter) ?? [])].flatMap((other) => [
      text.slice(0, at) + other + text.slice(at + 1),
      text.replaceAll(letter, other),
    ]),
  ).flat();
}

const folds = new Map<string, Set<string>>();
function addFolds(from: string, to: string): void {
  if (from !== to) folds.set(from, (folds.get(from) ?? new Set()).add(to));
}
for (const letter of alike.keys()) {
  // A letter that is folded to a pair also resembles what the pair's letters resemble.
  for (const shape of new Set([letter, pairOf(letter)])) {
    for (const once of mistaken(shape)) {
      for (const text of [once, ...mistaken(once)]) {
        addFolds(symbolsOf(letter), foldOf(text));
        addFolds(foldOf(text), symbolsOf(letter));
      }
    }
  }
}

function pairOf(letter: string): string {
  return { d: 'cl', m: 'rn', w: 'vv' }[letter] ?? letter;
}

/** Compares folded symbols of one letter or of a group. */
export function isWeakHomoglyph(fold: string, other: string): boolean {
  return folds.get(fold)?.has(other) === true;
}

/** By fold of one letter: the first symbols of the groups that resemble it. */
const firstSymbols = new Map(
  Array.from(folds, ([fold, others]) => [
    fold,
    [...others]
      .filter((other) => other.length > 1)
      .map((other) => other[0] as string)
      .join(''),
  ]),
);

/** Whether a group that begins with this fold could resemble the letter. */
export function mayBeWeakHomoglyph(fold: string, beginning: string): boolean {
  return firstSymbols.get(fold)?.includes(beginning[0] as string) === true;
}
