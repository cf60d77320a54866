/**
 * The cheapest way from the letters of a term to those of a text: which were kept, folded, put in, left out or exchanged. What
 * divides letters is of no concern here.
 */
import { looksLikeAscii } from './fold.ts';
import type { Letters } from './letters.ts';
import type { MatchClass } from './match.ts';
import { takesEs } from './term-variants.ts';
import { isWeaklyAlike, mayBeWeaklyAlike } from './weak-likeness.ts';

/** These letters of the term became those of the text. */
export interface Move {
  readonly class: MatchClass | 'same';
  readonly edits: number;
  readonly isWeak: boolean;
  readonly fromAt: number;
  readonly fromEnd: number;
  readonly toAt: number;
  readonly toEnd: number;
}

export interface Alignment {
  readonly moves: readonly Move[];
  /** Letters of the text. */
  readonly from: number;
  readonly to: number;
}

/** Weak lookalikes are counted apart from edits. */
type Way = readonly [name: Move['class'], cost: number, edits: number, isWeak?: true];

/** Foldings cost next to nothing; among edits of the same number the most telling is the cheapest. */
const ways = [
  ['same', 0, 0],
  ['leet', 3, 0],
  ['homoglyph', 4, 0],
  ['homoglyph', 600, 0, true],
  ['plural', 900, 1],
  ['repetition', 901, 1],
  ['transposition', 902, 1],
  ['vowel-swap', 903, 1],
  ['omission', 904, 1],
  ['insertion', 905, 1],
  ['bit-flip', 906, 1],
  ['replacement', 907, 1],
  ['transposition', 1806, 2],
] as const satisfies readonly Way[];
const [same, leet, homoglyph, weak, plural, repetition] = [0, 1, 2, 3, 4, 5];
const [transposition, vowelSwap, omission, insertion, bitFlip, replacement] = [6, 7, 8, 9, 10, 11];
/** Two letters are exchanged, and the one between them left out, or another put there. */
const transpositionAcross = 12;

/** How unlike two texts may be. */
export interface AlignmentBounds {
  /** The letters of the text before and behind do not count. */
  readonly isOpen: boolean;
  readonly editsMax: number;
  /** Weak lookalikes besides. */
  readonly weakMax: number;
}

const editCostMax = 907;
const weakCost = 600;
/** Above all foldings of a term together. */
const foldingCostsMax = 512;
const unreached = 1 << 28;
const togetherMax = 3;

/** The table of one alignment: by letters of the term and of the text that are used up, at which cost, and from where. */
let costs = new Int32Array(1024);
let origins = new Int32Array(1024);
let kinds = new Uint8Array(1024);
let width = 0;
let cell = 0;

/** Undefined for texts that are not alike within these bounds. */
export function align(
  term: Letters,
  text: Letters,
  from: number,
  to: number,
  { isOpen, editsMax, weakMax }: AlignmentBounds,
): Alignment | undefined {
  const rows = term.characters.length;
  const columns = to - from;
  const costMax = editsMax * editCostMax + weakMax * weakCost + foldingCostsMax;
  if (rows === 0 || columns > 64 + 3 * rows) return undefined;
  width = columns + 1;
  const cells = (rows + 1) * width;
  if (cells > costs.length) {
    costs = new Int32Array(cells * 2);
    origins = new Int32Array(cells * 2);
    kinds = new Uint8Array(cells * 2);
  }
  costs.fill(unreached, 0, cells);
  if (isOpen) costs.fill(0, 0, width);
  else costs[0] = 0;
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column <= columns; column += 1) {
      cell = row * width + column;
      if ((costs[cell] as number) <= costMax) relax(term, text, from, row, column, isOpen);
    }
  }
  let end = cells - 1;
  if (isOpen) {
    for (let other = cells - width; other < cells; other += 1) {
      if ((costs[other] as number) < (costs[end] as number)) end = other;
    }
  }
  return (costs[end] as number) > costMax ? undefined : trace(end, from, isOpen);
}

function go(down: number, right: number, kind: number): void {
  const next = cell + down * width + right;
  const sum = (costs[cell] as number) + (ways[kind] as Way)[1];
  if (sum >= (costs[next] as number)) return;
  costs[next] = sum;
  origins[next] = cell;
  kinds[next] = kind;
}

function relax(
  { characters, folds }: Letters,
  text: Letters,
  from: number,
  row: number,
  column: number,
  isOpen: boolean,
): void {
  const rows = characters.length;
  const columns = width - 1;
  const at = from + column;
  if (row < rows) go(1, 0, omission);
  if (column === columns) return;
  const there = text.characters[at] as string;
  if (row < rows) {
    go(1, 1, kindOfPair(characters[row] as string, folds[row] as string, there, text.folds[at] as string));
    relaxTogether(folds, text.folds, row, at, from + columns);
    if (isExchanged(folds, text.folds, row, row + 1, at, at + 1, from + columns)) go(2, 2, transposition);
    if (isExchanged(folds, text.folds, row, row + 2, at, at + 1, from + columns))
      go(3, 2, transpositionAcross);
    if (isExchanged(folds, text.folds, row, row + 1, at, at + 2, from + columns))
      go(2, 3, transpositionAcross);
  }
  if (isOpen && (row === 0 || row === rows)) return;
  const isDouble = there === characters[row - 1] || there === characters[row];
  const isPlural = row === rows && column + 1 === columns && there === 's';
  go(0, 1, isPlural ? plural : isDouble ? repetition : insertion);
  if (there !== 'e' || row === 0 || column + 1 === columns || text.characters[at + 1] !== 's') return;
  if (takesEs(characters[row - 1] as string, row === rows)) go(0, 2, plural);
}

/** One letter for several, and several for one. */
function relaxTogether(
  folds: readonly string[],
  others: readonly string[],
  row: number,
  at: number,
  end: number,
): void {
  const fold = folds[row] as string;
  const other = others[at] as string;
  if (fold.length > 1 || mayBeWeaklyAlike(fold, other)) {
    let together = other;
    for (let count = 2; count <= togetherMax && at + count <= end; count += 1) {
      together += others[at + count - 1] as string;
      if (together === fold) go(1, count, homoglyph);
      else if (isWeaklyAlike(fold, together)) go(1, count, weak);
    }
  }
  if (other.length > 1 || mayBeWeaklyAlike(other, fold)) {
    let together = fold;
    for (let count = 2; count <= togetherMax && row + count <= folds.length; count += 1) {
      together += folds[row + count - 1] as string;
      if (together === other) go(count, 1, homoglyph);
      else if (isWeaklyAlike(together, other)) go(count, 1, weak);
    }
  }
}

function isExchanged(
  folds: readonly string[],
  others: readonly string[],
  row: number,
  otherRow: number,
  at: number,
  otherAt: number,
  end: number,
): boolean {
  if (otherRow >= folds.length || otherAt >= end || folds[row] === folds[otherRow]) return false;
  return folds[row] === others[otherAt] && folds[otherRow] === others[at];
}

function kindOfPair(one: string, fold: string, other: string, otherFold: string): number {
  if (one === other) return same;
  if (fold === otherFold && looksLikeAscii(fold)) return isDigit(one) || isDigit(other) ? leet : homoglyph;
  if (vowels.includes(one) && vowels.includes(other)) return vowelSwap;
  if (isWeaklyAlike(fold, otherFold)) return weak;
  return isBitFlip(one, other) ? bitFlip : replacement;
}

const vowels = 'aeiou';
const asciiMax = 0x7f;

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isBitFlip(one: string, other: string): boolean {
  const difference = one.charCodeAt(0) ^ other.charCodeAt(0);
  const isAscii = one.charCodeAt(0) <= asciiMax && other.charCodeAt(0) <= asciiMax;
  return isAscii && (difference & (difference - 1)) === 0;
}

function trace(end: number, from: number, isOpen: boolean): Alignment {
  const moves: Move[] = [];
  let at = end;
  while (isOpen ? at >= width : at > 0) {
    const origin = origins[at] as number;
    const [name, , edits, isWeak = false] = ways[kinds[at] as number] as Way;
    moves.unshift({
      class: name,
      edits,
      isWeak,
      fromAt: Math.floor(origin / width),
      fromEnd: Math.floor(at / width),
      toAt: from + (origin % width),
      toEnd: from + (at % width),
    });
    at = origin;
  }
  return { moves, from: from + (at % width), to: from + (end % width) };
}
