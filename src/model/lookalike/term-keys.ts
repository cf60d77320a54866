/**
 * Under which keys a term is found. Two texts that are at most so many edits apart become the same when at most so many
 * characters are left out of each; so a term is filed under what is left of it, and names are looked up likewise.
 */
import { findCoarseKey } from './coarse-key.ts';
import type { Ended } from './ended-keys.ts';
import { foldOf, symbolsOf } from './fold.ts';
import { twoEditsMax, twoEditsMin, wholeVariationMin } from './lengths.ts';
import type { Letters } from './letters.ts';
import { plainSeed, withSymbol } from './symbol-sums.ts';
import { pluralsWithEs, rewritten, withEs } from './term-variants.ts';
import { textEnds } from './text-ends.ts';

export interface TermKeys {
  /** Of the term itself and of what is left of it without one character. */
  readonly one: Ended;
  /** Without two characters. */
  readonly two: Ended;
  /** Of its homophones and numerals, of what is left of those without one character, of two at once, and of plurals. */
  readonly varied: Ended;
  /** The coarse key, if it has one. */
  readonly coarse: Int32Array;
  /** Whether labels are looked up with two characters left out. */
  readonly takesTwo: boolean;
}

/** Keys of texts, each once, with their ends. */
type EndsByKey = Map<number, number>;

const noKeys: TermKeys = {
  one: ended(new Map()),
  two: ended(new Map()),
  varied: ended(new Map()),
  coarse: new Int32Array(0),
  takesTwo: false,
};

function ended(keys: EndsByKey): Ended {
  return { keys: Int32Array.from(keys.keys()), ends: Int32Array.from(keys.values()) };
}

export function termKeys({ characters, folds }: Letters): TermKeys {
  const letters = characters.length;
  if (letters < wholeVariationMin) return noKeys;
  const text = characters.join('');
  const symbols = folds.join('');
  const one: EndsByKey = new Map();
  for (const left of [symbols, ...shortened(symbols, 0)]) addText(left, one);
  const takesTwo = letters >= twoEditsMin && letters <= twoEditsMax;
  const two: EndsByKey = new Map();
  if (takesTwo) addTwiceShortened(symbols, two);
  for (const key of one.keys()) two.delete(key);
  const varied: EndsByKey = new Map();
  const { once, twice } = rewritten(text);
  for (const variant of once) {
    const fold = foldOf(variant.text);
    addText(fold, varied);
    if (variant.text.length >= wholeVariationMin)
      for (const left of shortened(fold, 0)) addText(left, varied);
  }
  for (const variant of twice) addText(foldOf(variant.text), varied);
  for (const variant of pluralsWithEs(text)) addText(foldOf(variant), varied);
  for (const variant of withEs(text)) {
    const fold = foldOf(variant.text);
    addText(fold, varied);
    if (takesTwo) for (const left of shortened(fold, 0)) addText(left, varied);
  }
  const coarse = findCoarseKey(characters);
  return {
    one: ended(one),
    two: ended(two),
    varied: ended(varied),
    coarse: Int32Array.from(coarse === undefined ? [] : [coarse]),
    takesTwo,
  };
}

function addText(symbols: string, keys: EndsByKey): void {
  let sum = plainSeed;
  for (let at = 0; at < symbols.length; at += 1) sum = withSymbol(sum, symbols.charCodeAt(at), at);
  keys.set(sum, textEnds(symbols));
}

/** What could be one character in a name: each symbol, and pairs that a single letter is folded to. */
const pairs = new Set(['d', 'm', 'w'].map(symbolsOf));

/** From a place on, without each symbol or pair. */
function shortened(symbols: string, from: number): string[] {
  const left: string[] = [];
  for (let at = from; at < symbols.length; at += 1) {
    left.push(symbols.slice(0, at) + symbols.slice(at + 1));
    if (pairs.has(symbols.slice(at, at + 2))) left.push(symbols.slice(0, at) + symbols.slice(at + 2));
  }
  return left;
}

function addTwiceShortened(symbols: string, keys: EndsByKey): void {
  for (let at = 0; at < symbols.length; at += 1) {
    const begun = symbols.slice(0, at);
    for (const left of shortened(begun + symbols.slice(at + 1), at)) addText(left, keys);
    if (!pairs.has(symbols.slice(at, at + 2))) continue;
    for (const left of shortened(begun + symbols.slice(at + 2), at)) addText(left, keys);
  }
}
