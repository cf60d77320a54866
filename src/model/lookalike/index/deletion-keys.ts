/**
 * The deletion keys of a term, as in SymSpell (Wolf Garbe, https://github.com/wolfgarbe/SymSpell): two texts within n edits
 * become equal when at most n characters are deleted from each. A term is indexed under the hashes of its deletions, and
 * `deletion-neighbourhood.ts` looks up the deletions of each label.
 */

import type { Letters } from '../align/letters.ts';
import { findCoarseKey } from '../fold/coarse-key.ts';
import { foldOf, symbolsOf } from '../fold/fold.ts';
import { twoEditsMax, twoEditsMin, wholeVariationMin } from '../length-thresholds.ts';
import type { KeysWithEnds } from './bloom-filter.ts';
import { textEndSignature } from './end-signature.ts';
import { plainSeed, withSymbol } from './polynomial-hash.ts';
import { pluralsWithEs, rewritten, withEs } from './term-variants.ts';

export interface TermKeys {
  /** The term itself and its one-character deletions. */
  readonly one: KeysWithEnds;
  /** Its two-character deletions, for terms that allow two edits. */
  readonly two: KeysWithEnds;
  /** Its homophone, numeral and plural variants, and the one-character deletions of those. */
  readonly varied: KeysWithEnds;
  /** The coarse key for weak homoglyphs; empty if the term is too short for one. */
  readonly coarse: Int32Array;
  /** Whether the term matches labels within two edits. */
  readonly allowsTwoEdits: boolean;
}

/** End signatures by key. */
type EndsByKey = Map<number, number>;

const noKeys: TermKeys = {
  one: withEnds(new Map()),
  two: withEnds(new Map()),
  varied: withEnds(new Map()),
  coarse: new Int32Array(0),
  allowsTwoEdits: false,
};

function withEnds(keys: EndsByKey): KeysWithEnds {
  return { keys: Int32Array.from(keys.keys()), ends: Int32Array.from(keys.values()) };
}

export function termKeys({ characters, folds }: Letters): TermKeys {
  const letters = characters.length;
  if (letters < wholeVariationMin) return noKeys;
  const text = characters.join('');
  const symbols = folds.join('');
  const one: EndsByKey = new Map();
  for (const rest of [symbols, ...deletions(symbols, 0)]) addText(rest, one);
  const allowsTwoEdits = letters >= twoEditsMin && letters <= twoEditsMax;
  const two: EndsByKey = new Map();
  if (allowsTwoEdits) addDoubleDeletions(symbols, two);
  for (const key of one.keys()) two.delete(key);
  const varied: EndsByKey = new Map();
  const { once, twice } = rewritten(text);
  for (const variant of once) {
    const fold = foldOf(variant.text);
    addText(fold, varied);
    if (variant.text.length >= wholeVariationMin)
      for (const rest of deletions(fold, 0)) addText(rest, varied);
  }
  for (const variant of twice) addText(foldOf(variant.text), varied);
  for (const variant of pluralsWithEs(text)) addText(foldOf(variant), varied);
  for (const variant of withEs(text)) {
    const fold = foldOf(variant.text);
    addText(fold, varied);
    if (allowsTwoEdits) for (const rest of deletions(fold, 0)) addText(rest, varied);
  }
  const coarse = findCoarseKey(characters);
  return {
    one: withEnds(one),
    two: withEnds(two),
    varied: withEnds(varied),
    coarse: Int32Array.from(coarse === undefined ? [] : [coarse]),
    allowsTwoEdits,
  };
}

function addText(symbols: string, keys: EndsByKey): void {
  let hash = plainSeed;
  for (let at = 0; at < symbols.length; at += 1) hash = withSymbol(hash, symbols.charCodeAt(at), at);
  keys.set(hash, textEndSignature(symbols));
}

/** Symbol pairs that one letter is folded to (d = cl, m = rn, w = vv): each may be a single character of a name. */
const pairs = new Set(['d', 'm', 'w'].map(symbolsOf));

/** The text without one symbol or pair, for each position from `from` on. */
function deletions(symbols: string, from: number): string[] {
  const rests: string[] = [];
  for (let at = from; at < symbols.length; at += 1) {
    rests.push(symbols.slice(0, at) + symbols.slice(at + 1));
    if (pairs.has(symbols.slice(at, at + 2))) rests.push(symbols.slice(0, at) + symbols.slice(at + 2));
  }
  return rests;
}

function addDoubleDeletions(symbols: string, keys: EndsByKey): void {
  for (let at = 0; at < symbols.length; at += 1) {
    const prefix = symbols.slice(0, at);
    for (const rest of deletions(prefix + symbols.slice(at + 1), at)) addText(rest, keys);
    if (!pairs.has(symbols.slice(at, at + 2))) continue;
    for (const rest of deletions(prefix + symbols.slice(at + 2), at)) addText(rest, keys);
  }
}
