/** Whether letters are weakly alike: one taken for another at a careless glance, or that one again for a third. */
import { foldOf, symbolsOf } from './fold.ts';
import { weaklyAlike } from './tables/look-alike-letters.ts';

const alike = new Map<string, Set<string>>();
for (const [letter, other] of weaklyAlike) {
  alike.set(letter, (alike.get(letter) ?? new Set()).add(other));
  if (other.length === 1) alike.set(other, (alike.get(other) ?? new Set()).add(letter));
}

/** Every text in which one letter, or every one of the same, was taken for another. */
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
  // A letter that is folded to a pair is taken for the pair, and its letters for others.
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

/** By folds, of one letter or of a few together. */
export function isWeaklyAlike(fold: string, other: string): boolean {
  return folds.get(fold)?.has(other) === true;
}

/** With which symbols texts of several letters begin that one letter is weakly like. */
const firstSymbols = new Map(
  Array.from(folds, ([fold, others]) => [
    fold,
    [...others]
      .filter((other) => other.length > 1)
      .map((other) => other[0] as string)
      .join(''),
  ]),
);

/** Whether a text that begins with this fold could be weakly like one letter. */
export function mayBeWeaklyAlike(fold: string, beginning: string): boolean {
  return firstSymbols.get(fold)?.includes(beginning[0] as string) === true;
}
