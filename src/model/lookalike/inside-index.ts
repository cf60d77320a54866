/**
 * Finds variations of terms inside labels. One edit leaves one half of a term as it is, unless it exchanges the two letters in
 * the middle; so the halves are searched for, and the first with the exchanged letters, and what follows or comes before is
 * compared. Other words for the term are searched for as they are.
 */
import { Automaton } from './automaton.ts';
import { secondShift, symbolMask, symbolsOfCode } from './fold.ts';
import type { IndexedTerm } from './indexed-term.ts';

const firstHalf = 0;
const secondHalf = 1;
const exchangedMiddle = 2;
const otherWord = 3;

/** A part of a term that is searched for. */
export interface Piece {
  readonly kind: number;
  readonly symbols: string;
}

export class InsideIndex {
  readonly #automaton: Automaton;
  readonly isEmpty: boolean;
  /** By text of the automaton: the first piece that is it; then by piece the next one, or -1. */
  readonly #firsts: Int32Array;
  readonly #nexts: Int32Array;
  readonly #terms: Int32Array;
  readonly #kinds: Uint8Array;
  /** By piece: the codes of the whole term, and how many symbols the piece has. */
  readonly #codes: readonly Uint16Array[];
  readonly #symbolCounts: Uint8Array;

  constructor(terms: readonly IndexedTerm[]) {
    const pieces = terms.flatMap((term, number) => term.pieces.map((piece) => ({ ...piece, term: number })));
    this.isEmpty = pieces.length === 0;
    const texts = new Map<string, number>();
    const firsts: number[] = [];
    this.#nexts = new Int32Array(pieces.length);
    pieces.forEach(({ symbols }, piece) => {
      const text = texts.get(symbols) ?? firsts.push(-1) - 1;
      texts.set(symbols, text);
      this.#nexts[piece] = firsts[text] as number;
      firsts[text] = piece;
    });
    this.#firsts = Int32Array.from(firsts);
    this.#automaton = new Automaton([...texts.keys()]);
    this.#terms = Int32Array.from(pieces, ({ term }) => term);
    this.#kinds = Uint8Array.from(pieces, ({ kind }) => kind);
    this.#codes = pieces.map(({ term }) => (terms[term] as IndexedTerm).codes);
    this.#symbolCounts = Uint8Array.from(pieces, ({ symbols }) => symbols.length);
  }

  /** Tells each term of which a variation may be among these codes of characters, and whether it is another word. */
  forEachTerm(
    codes: Uint16Array,
    from: number,
    to: number,
    take: (term: number, isWord: boolean) => void,
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
        for (let piece = this.#firsts[text] as number; piece >= 0; piece = this.#nexts[piece] as number) {
          if (this.#isVariation(piece, codes, from, to, at + 1))
            take(this.#terms[piece] as number, this.#kinds[piece] === otherWord);
        }
      });
    }
  }

  /** Whether the rest of the term is beside a piece that ends here, with at most one edit. */
  #isVariation(piece: number, codes: Uint16Array, from: number, to: number, end: number): boolean {
    const kind = this.#kinds[piece] as number;
    if (kind === otherWord) return true;
    const term = this.#codes[piece] as Uint16Array;
    const half = halfOf(term.length);
    if (kind === exchangedMiddle) return follows(term, half + 1, codes, end, to);
    if (kind === firstHalf) return goesOn(term, half, codes, end, to);
    const begin = beginOf(codes, from, end, this.#symbolCounts[piece] as number);
    return begin >= 0 && cameBefore(term, half, codes, begin, from);
  }
}

function halfOf(length: number): number {
  return (length + 1) >> 1;
}

/** Of a term, given by the codes of its characters, and of its other words, folded. */
export function piecesOf(codes: Uint16Array, words: readonly string[]): readonly Piece[] {
  const folds = Array.from(codes, symbolsOfCode);
  const half = halfOf(folds.length);
  const exchanged = [...folds.slice(0, half - 1), folds[half], folds[half - 1]];
  return [
    { kind: firstHalf, symbols: folds.slice(0, half).join('') },
    { kind: secondHalf, symbols: folds.slice(half).join('') },
    { kind: exchangedMiddle, symbols: exchanged.join('') },
    ...words.map((symbols) => ({ kind: otherWord, symbols })),
  ];
}

/** Where the characters begin that these many symbols before an end come from; -1 when none does there. */
function beginOf(codes: Uint16Array, from: number, end: number, symbols: number): number {
  let at = end;
  let left = symbols;
  while (left > 0 && at > from) left -= (codes[--at] as number) >> secondShift === 0 ? 1 : 2;
  return left === 0 ? at : -1;
}

/** Whether the term from a letter on follows, with at most one edit. What is behind it does not matter. */
function goesOn(term: Uint16Array, letter: number, codes: Uint16Array, begin: number, end: number): boolean {
  let [at, place] = [letter, begin];
  while (at < term.length && place < end && term[at] === codes[place]) {
    at += 1;
    place += 1;
  }
  if (at === term.length) return true;
  if (follows(term, at + 1, codes, place + 1, end) || follows(term, at + 1, codes, place, end)) return true;
  if (follows(term, at, codes, place + 1, end)) return true;
  return (
    term[at] === codes[place + 1] &&
    term[at + 1] === codes[place] &&
    follows(term, at + 2, codes, place + 2, end)
  );
}

function follows(term: Uint16Array, letter: number, codes: Uint16Array, begin: number, end: number): boolean {
  if (end - begin < term.length - letter) return false;
  for (let at = letter; at < term.length; at += 1) if (term[at] !== codes[begin + at - letter]) return false;
  return true;
}

/** The same the other way: the term up to a letter, before a place. */
function cameBefore(
  term: Uint16Array,
  letter: number,
  codes: Uint16Array,
  end: number,
  from: number,
): boolean {
  let [at, place] = [letter, end];
  while (at > 0 && place > from && term[at - 1] === codes[place - 1]) {
    at -= 1;
    place -= 1;
  }
  if (at === 0) return true;
  if (precedes(term, at - 1, codes, place - 1, from) || precedes(term, at - 1, codes, place, from))
    return true;
  if (precedes(term, at, codes, place - 1, from)) return true;
  return (
    at > 1 &&
    place > from + 1 &&
    term[at - 1] === codes[place - 2] &&
    term[at - 2] === codes[place - 1] &&
    precedes(term, at - 2, codes, place - 2, from)
  );
}

function precedes(term: Uint16Array, letter: number, codes: Uint16Array, end: number, from: number): boolean {
  if (end - from < letter) return false;
  for (let at = 1; at <= letter; at += 1) if (term[letter - at] !== codes[end - at]) return false;
  return true;
}
