/** A term with what it is found by. Making it costs more than putting it into an index, so it is kept between indexes. */
import type { Alignment } from './alignment.ts';
import { stepsOf } from './derivation.ts';
import { codesOf, foldOf } from './fold.ts';
import { type Gram, rarestGramOf } from './gram-index.ts';
import { type Piece, piecesOf } from './inside-index.ts';
import { insideVariationMin } from './lengths.ts';
import { type Letters, lettersOf } from './letters.ts';
import type { Step, Term } from './match.ts';
import { type SpelledTerm, spelledTerm } from './spelled-term.ts';
import { type TermKeys, termKeys } from './term-keys.ts';
import { reshapings, rewritten, type Variant, withEs } from './term-variants.ts';

export interface IndexedTerm extends SpelledTerm {
  /** By what variations are found inside labels, where they are looked for. */
  readonly pieces: readonly Piece[];
  /** All letters folded. */
  readonly symbols: string;
  readonly rarestGram: Gram;
  /** The codes of its characters. */
  readonly codes: Uint16Array;
  readonly keys: TermKeys;
}

export function indexedTerm(term: Term): IndexedTerm {
  const spelled = spelledTerm(term.text);
  const text = spelled.label.characters.join('');
  const takesInside = term.substringVariations && spelled.label.characters.length >= insideVariationMin;
  const symbols = spelled.label.folds.join('');
  const codes = Uint16Array.from(spelled.label.characters.flatMap(codesOf));
  return {
    ...spelled,
    symbols,
    rarestGram: rarestGramOf(symbols),
    codes,
    pieces: takesInside
      ? piecesOf(
          codes,
          rewritten(text).once.map((word) => foldOf(word.text)),
        )
      : [],
    keys: termKeys(spelled.label),
  };
}

export interface VariantLetters {
  readonly letters: Letters;
  /** From the label of the term to the text of these letters. */
  readonly steps: readonly Step[];
}

const variants = new WeakMap<IndexedTerm, readonly VariantLetters[]>();
const reshaped = new WeakMap<IndexedTerm, readonly VariantLetters[]>();

/** Its homophones, numerals and plurals, to be compared with a text that is not near the term itself. */
export function variantsOf(term: IndexedTerm): readonly VariantLetters[] {
  return remembered(variants, term, (text) => {
    const { once, twice } = rewritten(text);
    return [...once, ...twice, ...withEs(text)];
  });
}

/** The term with one letter written as a pair, or a pair as a letter: what was done to the pair is then seen as it is. */
export function reshapedOf(term: IndexedTerm): readonly VariantLetters[] {
  return remembered(reshaped, term, reshapings);
}

function remembered(
  known: WeakMap<IndexedTerm, readonly VariantLetters[]>,
  term: IndexedTerm,
  make: (text: string) => readonly Variant[],
): readonly VariantLetters[] {
  let found = known.get(term);
  if (!found) {
    const { label } = term;
    const text = label.characters.join('');
    const undivided = stepsOf(label, lettersOf(text), unchanged(label.characters.length));
    found = make(text).map((variant) => ({
      letters: lettersOf(variant.text),
      steps: [...undivided, ...variant.steps],
    }));
    known.set(term, found);
  }
  return found;
}

function unchanged(letters: number): Alignment {
  const moves = Array.from({ length: letters }, (_, at) => ({
    class: 'same' as const,
    edits: 0,
    isWeak: false,
    fromAt: at,
    fromEnd: at + 1,
    toAt: at,
    toEnd: at + 1,
  }));
  return { moves, from: 0, to: letters };
}
