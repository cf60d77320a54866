/**
 * Alignment by dynamic programming: the weighted Damerau-Levenshtein distance (https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance)
 * between the letters of a term and of a text, with extra operations for foldings (leet, homoglyphs, letter pairs), plurals and
 * repetitions, bounded by the allowed cost, and with a traceback. Dots and hyphens between letters are ignored here.
 */
import { isAsciiFold } from '../fold/fold.ts';
import { takesEs } from '../index/term-variants.ts';
import type { MatchClass } from '../match.ts';
import type { Letters } from './letters.ts';
import { isWeakHomoglyph, mayBeWeakHomoglyph } from './weak-homoglyphs.ts';

/** One operation of the traceback: these letters of the term became those of the text. */
export interface EditOperation {
  readonly class: MatchClass | 'same';
  readonly edits: number;
  readonly isWeak: boolean;
  readonly fromAt: number;
  readonly fromEnd: number;
  readonly toAt: number;
  readonly toEnd: number;
}

export interface Alignment {
  readonly operations: readonly EditOperation[];
  /** The range of letters of the text. */
  readonly from: number;
  readonly to: number;
}

/** Weak homoglyphs are counted separately from edits. */
type OperationKind = readonly [name: EditOperation['class'], cost: number, edits: number, isWeak?: true];

/** Foldings cost next to nothing; among operations with the same number of edits the more specific one is cheaper. */
const operationKinds = [
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
] as const satisfies readonly OperationKind[];
const [same, leet, homoglyph, weak, plural, repetition] = [0, 1, 2, 3, 4, 5];
const [transposition, vowelSwap, omission, insertion, bitFlip, replacement] = [6, 7, 8, 9, 10, 11];
/** Two letters are transposed, and one between them is deleted or inserted. */
const transpositionWithEdit = 12;

/** The maximum difference between two texts. */
export interface AlignmentBounds {
  /** Semi-global alignment: letters of the text before and after the term are free. */
  readonly isOpen: boolean;
  readonly editsMax: number;
  /** Weak homoglyphs, in addition to edits. */
  readonly weakMax: number;
}

const editCostMax = 907;
const weakCost = 600;
/** More than all foldings of one term can cost group. */
const foldingCostsMax = 512;
const unreached = 1 << 28;
const groupMax = 3;

/** The table of the current alignment, by letters of the term (rows) and of the text (columns): cost, previous cell, operation. */
let costs = new Int32Array(1024);
let origins = new Int32Array(1024);
let kinds = new Uint8Array(1024);
let width = 0;
let cell = 0;

/** Undefined if no alignment is within the bounds. */
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
  return (costs[end] as number) > costMax ? undefined : traceback(end, from, isOpen);
}

function relaxCell(down: number, right: number, kind: number): void {
  const next = cell + down * width + right;
  const sum = (costs[cell] as number) + (operationKinds[kind] as OperationKind)[1];
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
  if (row < rows) relaxCell(1, 0, omission);
  if (column === columns) return;
  const character = text.characters[at] as string;
  if (row < rows) {
    relaxCell(
      1,
      1,
      kindOfPair(characters[row] as string, folds[row] as string, character, text.folds[at] as string),
    );
    relaxGroups(folds, text.folds, row, at, from + columns);
    if (isTransposed(folds, text.folds, row, row + 1, at, at + 1, from + columns))
      relaxCell(2, 2, transposition);
    if (isTransposed(folds, text.folds, row, row + 2, at, at + 1, from + columns))
      relaxCell(3, 2, transpositionWithEdit);
    if (isTransposed(folds, text.folds, row, row + 1, at, at + 2, from + columns))
      relaxCell(2, 3, transpositionWithEdit);
  }
  if (isOpen && (row === 0 || row === rows)) return;
  const isDouble = character === characters[row - 1] || character === characters[row];
  const isPlural = row === rows && column + 1 === columns && character === 's';
  relaxCell(0, 1, isPlural ? plural : isDouble ? repetition : insertion);
  if (character !== 'e' || row === 0 || column + 1 === columns || text.characters[at + 1] !== 's') return;
  if (takesEs(characters[row - 1] as string, row === rows)) relaxCell(0, 2, plural);
}

/** One letter for a group of letters, and a group for one. */
function relaxGroups(
  folds: readonly string[],
  others: readonly string[],
  row: number,
  at: number,
  end: number,
): void {
  const fold = folds[row] as string;
  const other = others[at] as string;
  if (fold.length > 1 || mayBeWeakHomoglyph(fold, other)) {
    let group = other;
    for (let count = 2; count <= groupMax && at + count <= end; count += 1) {
      group += others[at + count - 1] as string;
      if (group === fold) relaxCell(1, count, homoglyph);
      else if (isWeakHomoglyph(fold, group)) relaxCell(1, count, weak);
    }
  }
  if (other.length > 1 || mayBeWeakHomoglyph(other, fold)) {
    let group = fold;
    for (let count = 2; count <= groupMax && row + count <= folds.length; count += 1) {
      group += folds[row + count - 1] as string;
      if (group === other) relaxCell(count, 1, homoglyph);
      else if (isWeakHomoglyph(group, other)) relaxCell(count, 1, weak);
    }
  }
}

function isTransposed(
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
  if (fold === otherFold && isAsciiFold(fold)) return isDigit(one) || isDigit(other) ? leet : homoglyph;
  if (vowels.includes(one) && vowels.includes(other)) return vowelSwap;
  if (isWeakHomoglyph(fold, otherFold)) return weak;
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

function traceback(end: number, from: number, isOpen: boolean): Alignment {
  const operations: EditOperation[] = [];
  let at = end;
  while (isOpen ? at >= width : at > 0) {
    const origin = origins[at] as number;
    const [name, , edits, isWeak = false] = operationKinds[kinds[at] as number] as OperationKind;
    operations.unshift({
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
  return { operations, from: from + (at % width), to: from + (end % width) };
}
