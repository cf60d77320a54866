/**
 * Finds one-edit variations of terms inside labels, by the pigeonhole principle: one edit leaves one half of a term unchanged,
 * unless it transposes the two letters in the middle. An Aho-Corasick automaton searches for both halves and for the first half
 * with the middle letters swapped; the rest of the term is compared beside each hit with at most one edit. Variants of the term
 * (homophones, numerals) are searched for unchanged.
 */

import { secondShift, symbolMask, symbolsOfCode } from '../fold/fold.ts';
import { Automaton } from './aho-corasick.ts';
import type { IndexedTerm } from './indexed-term.ts';

const firstHalf = 0;
const secondHalf = 1;
const swappedMiddle = 2;
const variantWord = 3;

/** A text that the automaton searches for on behalf of a term. */
export interface TermPart {
  readonly kind: number;
  readonly symbols: string;
}

export class HalfTermIndex {
  readonly #automaton: Automaton;
  readonly isEmpty: boolean;
  /** Linked lists: the first part by text of the automaton, then the next part with the same text by part, or -1. */
  readonly #firsts: Int32Array;
  readonly #nexts: Int32Array;
  readonly #terms: Int32Array;
  readonly #kinds: Uint8Array;
  /** By part: the codes of the whole term, and the number of symbols of the part. */
  readonly #codes: readonly Uint16Array[];
  readonly #symbolCounts: Uint8Array;

  constructor(terms: readonly IndexedTerm[]) {
    const parts = terms.flatMap((term, number) => term.parts.map((part) => ({ ...part, term: number })));
    this.isEmpty = parts.length === 0;
    const texts = new Map<string, number>();
    const firsts: number[] = [];
    this.#nexts = new Int32Array(parts.length);
    parts.forEach(({ symbols }, part) => {
      const text = texts.get(symbols) ?? firsts.push(-1) - 1;
      texts.set(symbols, text);
      this.#nexts[part] = firsts[text] as number;
      firsts[text] = part;
    });
    this.#firsts = Int32Array.from(firsts);
    this.#automaton = new Automaton([...texts.keys()]);
    this.#terms = Int32Array.from(parts, ({ term }) => term);
    this.#kinds = Uint8Array.from(parts, ({ kind }) => kind);
    this.#codes = parts.map(({ term }) => (terms[term] as IndexedTerm).codes);
    this.#symbolCounts = Uint8Array.from(parts, ({ symbols }) => symbols.length);
  }

  /** Visits each term that may have a variation in this range of character codes, and says whether it is a variant word. */
  forEachTerm(
    codes: Uint16Array,
    from: number,
    to: number,
    visit: (term: number, isVariantWord: boolean) => void,
  ): void {
    const { next } = this.#automaton;
    let state = 0;
    for (let at = from; at < to; at += 1) {
      const code = codes[at] as number;
      state = next[state + (code & symbolMask)] as number;
      if (code >> secondShift !== 0)
        state = next[(state < 0 ? ~state : state) + (code >> secondShift)] as number;
      if (state >= 0) continue;
      const ended = state;
      state = ~state;
      this.#automaton.forEachText(ended, (text) => {
        for (let part = this.#firsts[text] as number; part >= 0; part = this.#nexts[part] as number) {
          if (this.#isVariation(part, codes, from, to, at + 1))
            visit(this.#terms[part] as number, this.#kinds[part] === variantWord);
        }
      });
    }
  }

  /** Whether the rest of the term is beside a part that ends at `end`, with at most one edit. */
  #isVariation(part: number, codes: Uint16Array, from: number, to: number, end: number): boolean {
    const kind = this.#kinds[part] as number;
    if (kind === variantWord) return true;
    const term = this.#codes[part] as Uint16Array;
    const half = halfOf(term.length);
    if (kind === swappedMiddle) return matchesForward(term, half + 1, codes, end, to);
    if (kind === firstHalf) return matchesForwardOneEdit(term, half, codes, end, to);
    const begin = beginOf(codes, from, end, this.#symbolCounts[part] as number);
    return begin >= 0 && matchesBackwardOneEdit(term, half, codes, begin, from);
  }
}

function halfOf(length: number): number {
  return (length + 1) >> 1;
}

/** The parts of a term, given by its character codes and its folded variant words. */
export function termParts(codes: Uint16Array, words: readonly string[]): readonly TermPart[] {
  const folds = Array.from(codes, symbolsOfCode);
  const half = halfOf(folds.length);
  const exchanged = [...folds.slice(0, half - 1), folds[half], folds[half - 1]];
  return [
    { kind: firstHalf, symbols: folds.slice(0, half).join('') },
    { kind: secondHalf, symbols: folds.slice(half).join('') },
    { kind: swappedMiddle, symbols: exchanged.join('') },
    ...words.map((symbols) => ({ kind: variantWord, symbols })),
  ];
}

/** The index of the character at which the last `symbols` symbols before `end` begin; -1 if they begin within a character. */
function beginOf(codes: Uint16Array, from: number, end: number, symbols: number): number {
  let at = end;
  let rest = symbols;
  while (rest > 0 && at > from) rest -= (codes[--at] as number) >> secondShift === 0 ? 1 : 2;
  return rest === 0 ? at : -1;
}

/** Whether the term from `letter` on matches the codes from `begin` on, with at most one edit. What follows does not matter. */
function matchesForwardOneEdit(
  term: Uint16Array,
  letter: number,
  codes: Uint16Array,
  begin: number,
  end: number,
): boolean {
  let [at, other] = [letter, begin];
  while (at < term.length && other < end && term[at] === codes[other]) {
    at += 1;
    other += 1;
  }
  if (at === term.length) return true;
  if (matchesForward(term, at + 1, codes, other + 1, end) || matchesForward(term, at + 1, codes, other, end))
    return true;
  if (matchesForward(term, at, codes, other + 1, end)) return true;
  return (
    term[at] === codes[other + 1] &&
    term[at + 1] === codes[other] &&
    matchesForward(term, at + 2, codes, other + 2, end)
  );
}

function matchesForward(
  term: Uint16Array,
  letter: number,
  codes: Uint16Array,
  begin: number,
  end: number,
): boolean {
  if (end - begin < term.length - letter) return false;
  for (let at = letter; at < term.length; at += 1) if (term[at] !== codes[begin + at - letter]) return false;
  return true;
}

/** The mirror image: whether the term up to `letter` matches the codes that end at `end`, with at most one edit. */
function matchesBackwardOneEdit(
  term: Uint16Array,
  letter: number,
  codes: Uint16Array,
  end: number,
  from: number,
): boolean {
  let [at, other] = [letter, end];
  while (at > 0 && other > from && term[at - 1] === codes[other - 1]) {
    at -= 1;
    other -= 1;
  }
  if (at === 0) return true;
  if (
    matchesBackward(term, at - 1, codes, other - 1, from) ||
    matchesBackward(term, at - 1, codes, other, from)
  )
    return true;
  if (matchesBackward(term, at, codes, other - 1, from)) return true;
  return (
    at > 1 &&
    other > from + 1 &&
    term[at - 1] === codes[other - 2] &&
    term[at - 2] === codes[other - 1] &&
    matchesBackward(term, at - 2, codes, other - 2, from)
  );
}

function matchesBackward(
  term: Uint16Array,
  letter: number,
  codes: Uint16Array,
  end: number,
  from: number,
): boolean {
  if (end - from < letter) return false;
  for (let at = 1; at <= letter; at += 1) if (term[letter - at] !== codes[end - at]) return false;
  return true;
}
