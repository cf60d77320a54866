/**
 * Cheap lower bounds on the edit distance between a term and a label. They reject most hash collisions before alignment
 * allocates anything, and never reject a real match.
 */
import { coarseSymbols } from '../fold/coarse-key.ts';
import { foldOf, secondShift, symbolMask } from '../fold/fold.ts';

const aloneMax = 2;
const editsMax = 2;
const row = new Uint8Array(256);
const above = new Uint8Array(256);
const higher = new Uint8Array(256);
const highest = new Uint8Array(256);

/** Fold codes of characters, see `fold.ts`. */
export type Codes = Uint16Array;

/** Within one edit, letter-pair foldings included: without the common prefix and suffix, at most two characters remain. */
export function isWithinOneEdit(term: Codes, name: Codes, from: number, to: number): boolean {
  let [begin, termEnd, nameEnd] = [0, term.length, to];
  while (begin < termEnd && from + begin < nameEnd && term[begin] === name[from + begin]) begin += 1;
  while (termEnd > begin && nameEnd > from + begin && term[termEnd - 1] === name[nameEnd - 1]) {
    termEnd -= 1;
    nameEnd -= 1;
  }
  const left = termEnd - begin;
  const right = nameEnd - from - begin;
  if (left <= aloneMax && right <= aloneMax) return true;
  // A letter pair elsewhere shifts everything after it: alignment decides.
  return hasPair(term, begin, termEnd) || hasPair(name, from + begin, nameEnd);
}

/** Whether a character in this range is folded to two symbols. */
function hasPair(codes: Codes, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if ((codes[at] as number) >> secondShift !== 0) return true;
  }
  return false;
}

/**
 * Within Damerau-Levenshtein distance two, stopping at the first row that exceeds it; a transposition across a deleted or
 * inserted letter counts as two edits.
 */
export function isWithinTwoEdits(term: Codes, name: Codes, from: number, to: number): boolean {
  const columns = to - from;
  if (Math.abs(term.length - columns) > editsMax || columns >= row.length) return false;
  for (let column = 0; column <= columns; column += 1) above[column] = column;
  for (let line = 1; line <= term.length; line += 1) {
    const code = term[line - 1] as number;
    let least = line;
    row[0] = line;
    for (let column = 1; column <= columns; column += 1) {
      const other = name[from + column - 1] as number;
      let edits = (above[column - 1] as number) + (code === other ? 0 : 1);
      edits = Math.min(edits, (above[column] as number) + 1, (row[column - 1] as number) + 1);
      if (line > 1 && column > 1) {
        const [before, beforeOther] = [term[line - 2] as number, name[from + column - 2] as number];
        if (code === beforeOther && other === before)
          edits = Math.min(edits, (higher[column - 2] as number) + 1);
        if (line > 2 && code === beforeOther && other === term[line - 3])
          edits = Math.min(edits, (highest[column - 2] as number) + 2);
        if (column > 2 && code === name[from + column - 3] && other === before)
          edits = Math.min(edits, (higher[column - 3] as number) + 2);
      }
      row[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > editsMax) return false;
    highest.set(higher.subarray(0, columns + 1));
    higher.set(above.subarray(0, columns + 1));
    above.set(row.subarray(0, columns + 1));
  }
  return (above[columns] as number) <= editsMax;
}

/**
 * For labels with the same coarse key: whether they differ only in weak homoglyphs and agree in enough symbols. An extra symbol
 * on one side is accepted only if it is a stroke beside a letter with a stroke, or a doubled arch.
 */
export function differsOnlyWeakly(term: Codes, name: Codes, from: number, to: number): boolean {
  const length = expand(term, 0, term.length, above);
  const nameLength = expand(name, from, to, row);
  let at = 0;
  let otherAt = 0;
  let equal = 0;
  while (at < length || otherAt < nameLength) {
    const symbol = at < length ? (above[at] as number) : 0;
    const other = otherAt < nameLength ? (row[otherAt] as number) : 0;
    const coarse = coarseSymbols[symbol] as number;
    const otherCoarse = coarseSymbols[other] as number;
    if (symbol !== 0 && other !== 0 && coarse === otherCoarse) {
      if (symbol === other) equal += 1;
      at += 1;
      otherAt += 1;
    } else if (
      symbol !== 0 &&
      (other === 0 || (coarse === 0 && !isArch(row, otherAt)) || isArch(above, at))
    ) {
      if (!isWeakAlone(above, at, length)) return false;
      at += 1;
    } else {
      if (!isWeakAlone(row, otherAt, nameLength)) return false;
      otherAt += 1;
    }
  }
  return equal * 3 + 2 >= Math.max(length, nameLength);
}

const [strokes, arches] = [foldOf('l'), foldOf('nr')];
const besideStrokes = foldOf('lcbhke');

function isOneOf(symbols: string, symbol: number): boolean {
  return symbols.includes(String.fromCharCode(symbol));
}

/** An arch after another arch. */
function isArch(symbols: Uint8Array, at: number): boolean {
  return at > 0 && isOneOf(arches, symbols[at] as number) && isOneOf(arches, symbols[at - 1] as number);
}

function isWeakAlone(symbols: Uint8Array, at: number, end: number): boolean {
  if (!isOneOf(strokes, symbols[at] as number))
    return isArch(symbols, at) || (at + 1 < end && isArch(symbols, at + 1));
  const isBefore = at > 0 && isOneOf(besideStrokes, symbols[at - 1] as number);
  return isBefore || (at + 1 < end && isOneOf(besideStrokes, symbols[at + 1] as number));
}

function expand(codes: Codes, from: number, to: number, symbols: Uint8Array): number {
  let length = 0;
  for (let at = from; at < to; at += 1) {
    const code = codes[at] as number;
    symbols[length++] = code & symbolMask;
    if (code >> secondShift !== 0) symbols[length++] = code >> secondShift;
  }
  return length;
}
