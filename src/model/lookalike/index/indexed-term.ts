/** A term with all its search keys. Computing them costs more than building an index from them, so rebuilt indexes reuse them. */
import type { Alignment } from '../align/alignment.ts';
import { type Letters, lettersOf } from '../align/letters.ts';
import { derivationSteps } from '../explain/derivation.ts';
import { codesOf, foldOf } from '../fold/fold.ts';
import { insideVariationMin } from '../length-thresholds.ts';
import type { Step, Term } from '../match.ts';
import { type TermKeys, termKeys } from './deletion-keys.ts';
import { type Gram, rarestGramOf } from './gram-index.ts';
import { type TermPart, termParts } from './half-term-index.ts';
import { type SpelledTerm, spelledTerm } from './spelled-term.ts';
import { reshapings, rewritten, type Variant, withEs } from './term-variants.ts';

export interface IndexedTerm extends SpelledTerm {
  /** For variations inside labels; empty for terms without `substringVariations`. */
  readonly parts: readonly TermPart[];
  /** All letters folded. */
  readonly symbols: string;
  readonly rarestGram: Gram;
  /** The fold codes of its characters. */
  readonly codes: Uint16Array;
  readonly keys: TermKeys;
}

export function indexedTerm(term: Term): IndexedTerm {
  const spelled = spelledTerm(term.text);
  const text = spelled.label.characters.join('');
  const variesInside = term.substringVariations && spelled.label.characters.length >= insideVariationMin;
  const symbols = spelled.label.folds.join('');
  const codes = Uint16Array.from(spelled.label.characters.flatMap(codesOf));
  return {
    ...spelled,
    symbols,
    rarestGram: rarestGramOf(symbols),
    codes,
    parts: variesInside
      ? termParts(
          codes,
          rewritten(text).once.map((variant) => foldOf(variant.text)),
        )
      : [],
    keys: termKeys(spelled.label),
  };
}

export interface VariantLetters {
  readonly letters: Letters;
  /** The steps from the label of the term to these letters. */
  readonly steps: readonly Step[];
}

const variants = new WeakMap<IndexedTerm, readonly VariantLetters[]>();
const reshaped = new WeakMap<IndexedTerm, readonly VariantLetters[]>();

/** Its homophone, numeral and plural variants, for texts that are not within the edit distance of the term itself. */
export function variantsOf(term: IndexedTerm): readonly VariantLetters[] {
  return memoized(variants, term, (text) => {
    const { once, twice } = rewritten(text);
    return [...once, ...twice, ...withEs(text)];
  });
}

/** The term with one letter written as a pair, or a pair as one letter, so that an edit within the pair can be aligned. */
export function reshapedOf(term: IndexedTerm): readonly VariantLetters[] {
  return memoized(reshaped, term, reshapings);
}

function memoized(
  cache: WeakMap<IndexedTerm, readonly VariantLetters[]>,
  term: IndexedTerm,
  make: (text: string) => readonly Variant[],
): readonly VariantLetters[] {
  let found = cache.get(term);
  if (!found) {
    const { label } = term;
    const text = label.characters.join('');
    const removeDividers = derivationSteps(label, lettersOf(text), unchanged(label.characters.length));
    found = make(text).map((variant) => ({
      letters: lettersOf(variant.text),
      steps: [...removeDividers, ...variant.steps],
    }));
    cache.set(term, found);
  }
  return found;
}

function unchanged(letters: number): Alignment {
  const operations = Array.from({ length: letters }, (_, at) => ({
    class: 'same' as const,
    edits: 0,
    isWeak: false,
    fromAt: at,
    fromEnd: at + 1,
    toAt: at,
    toEnd: at + 1,
  }));
  return { operations, from: 0, to: letters };
}
