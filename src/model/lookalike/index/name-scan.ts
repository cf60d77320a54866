/**
 * The candidate search: one pass over the bytes of a name that finds where it may resemble a term. It allocates nothing for
 * names without a candidate, which is nearly all of them.
 */

import { differsOnlyWeakly, isWithinOneEdit, isWithinTwoEdits } from '../align/edit-distance-bound.ts';
import { coarseLengthMin, coarseSymbols } from '../fold/coarse-key.ts';
import {
  beyondAsciiCode,
  byteCodes,
  dotCode,
  hyphenCode,
  lineEndCode,
  secondShift,
  symbolMask,
} from '../fold/fold.ts';
import { twoEditsMin } from '../length-thresholds.ts';
import { Candidates, contained, inside, insideVaried, whole } from './candidates.ts';
import { DeletionNeighbourhood } from './deletion-neighbourhood.ts';
import { FoundGrams } from './found-grams.ts';
import { gramMask, symbolBits } from './gram-index.ts';
import type { IndexedTerm } from './indexed-term.ts';
import { coarseSeed, withSymbol } from './polynomial-hash.ts';
import { labelLengthMax, RollingHash } from './rolling-hash.ts';
import { coarseKey, keyKindBits, plainKey, type TermIndex, variedKey } from './term-index.ts';

/** In bytes. A longer line is not a name in any encoding. */
export const nameLengthMax = 1024;
/** In characters. Shorter labels are not looked up for variations. */
const labelLengthMin = 4;
const gluedMin = 2;
const wwwMax = 4;
const twoLengthMin = twoEditsMin - 2;

const [letterW, letterH, letterT, letterP, letterS] = Array.from(
  'whtps',
  (letter) => byteCodes[letter.charCodeAt(0)],
);

export class NameScan {
  readonly candidates = new Candidates();
  /** The name has non-ASCII characters or punycode labels: the caller folds it to its skeleton and scans that. */
  isBeyondAscii = false;
  readonly #index: TermIndex;
  /** The fold codes of the name's characters, without dots and hyphens. */
  readonly #codes = new Uint16Array(nameLengthMax + 1);
  readonly #grams = new FoundGrams();
  /** For a name in which grams were found: its symbols, and the byte offset at which the character of each ends. */
  readonly #symbols = new Uint8Array(2 * nameLengthMax + 2);
  readonly #symbolEnds = new Uint16Array(2 * nameLengthMax + 2);
  readonly #hash = new RollingHash();
  readonly #neighbourhood: DeletionNeighbourhood;
  /** By value of the hash table: the serial number of the last label it was found for, so that it is added once a label. */
  readonly #lastFound: Int32Array;
  /** The current label: its serial number, its range of characters, and its range of bytes. */
  #label = 0;
  #from = 0;
  #to = 0;
  #fromByte = 0;
  #toByte = 0;

  constructor(index: TermIndex) {
    this.#index = index;
    this.#lastFound = new Int32Array(index.terms.length << keyKindBits);
    this.#neighbourhood = new DeletionNeighbourhood(this.#hash, (key, isTwo) => this.#addFound(key, isTwo));
  }

  /** Scans one name and returns the offset at which its line ends. */
  scan(bytes: Uint8Array, begin: number, limit: number, codesOfBytes: Uint16Array): number {
    const { grams } = this.#index;
    const { shortMasks } = grams;
    const codes = this.#codes;
    this.#grams.clear();
    const mayBePunycode = codesOfBytes === byteCodes;
    this.candidates.length = 0;
    this.isBeyondAscii = mayBePunycode && isPunycode(bytes, begin);
    // Assigned one by one here and below: destructuring would cost more than the rest of an iteration.
    let gram = 0;
    let symbols = 0;
    let count = 0;
    let at = begin;
    // The first character and the byte offset of the current label, and of the previous one.
    let label = 0;
    let labelAt = begin;
    let before = -1;
    let beforeAt = begin;
    for (; at < limit; at += 1) {
      const code = codesOfBytes[bytes[at] as number] as number;
      if (code < hyphenCode) {
        gram = ((gram << symbolBits) | (code & symbolMask)) & gramMask;
        if (grams.has(gram) && grams.isFiled(gram)) this.#grams.add(gram, symbols);
        if (shortMasks.length > 0) this.#addShortGrams(gram, symbols);
        symbols += 1;
        const second = code >> secondShift;
        if (second !== 0) {
          gram = ((gram << symbolBits) | second) & gramMask;
          if (grams.has(gram) && grams.isFiled(gram)) this.#grams.add(gram, symbols);
          if (shortMasks.length > 0) this.#addShortGrams(gram, symbols);
          symbols += 1;
        }
        if (count < nameLengthMax) codes[count++] = code;
      } else if (code === dotCode) {
        this.#scanLabel(bytes, begin, label, count, labelAt, at);
        if (before >= 0) this.#lookUpWhole(before, count, beforeAt - begin, at - begin);
        before = label;
        beforeAt = labelAt;
        label = count;
        labelAt = at + 1;
        if (mayBePunycode && isPunycode(bytes, at + 1)) this.isBeyondAscii = true;
      } else if (code === lineEndCode) break;
      else if (code === beyondAsciiCode) this.isBeyondAscii = true;
    }
    // The last label is a suffix, unless it is the only one.
    if (before < 0 || label === count) this.#scanLabel(bytes, begin, label, count, labelAt, at);
    if (at - begin > nameLengthMax) {
      this.candidates.length = 0;
      this.isBeyondAscii = false;
    } else if (this.#grams.length > 0) this.#addContained(bytes, begin, at, codesOfBytes);
    return at;
  }

  #addShortGrams(gram: number, position: number): void {
    const { grams } = this.#index;
    for (const mask of grams.shortMasks) {
      if (grams.has(gram & mask) && grams.isFiled(gram & mask)) this.#grams.add(gram & mask, position);
    }
  }

  /** Compares the terms filed under the grams that were found with the whole name. */
  #addContained(bytes: Uint8Array, begin: number, nameEnd: number, codesOfBytes: Uint16Array): void {
    const symbols = this.#symbols;
    const ends = this.#symbolEnds;
    let count = 0;
    for (let at = begin; at < nameEnd; at += 1) {
      const code = codesOfBytes[bytes[at] as number] as number;
      if (code >= hyphenCode) continue;
      symbols[count] = code & symbolMask;
      ends[count++] = at + 1 - begin;
      if (code >> secondShift === 0) continue;
      // A match cannot end between the two symbols of one character.
      ends[count - 1] = 0;
      symbols[count] = code >> secondShift;
      ends[count++] = at + 1 - begin;
    }
    for (let index = 0; index < this.#grams.length; index += 1) {
      this.#index.grams.forEachTerm(
        this.#grams.gram(index),
        symbols,
        this.#grams.position(index),
        count,
        (term, textEnd) => {
          const end = ends[textEnd - 1] as number;
          if (end > 0) this.candidates.add(contained, term, 0, end);
        },
      );
    }
  }

  #scanLabel(
    bytes: Uint8Array,
    begin: number,
    from: number,
    to: number,
    labelAt: number,
    labelEnd: number,
  ): void {
    if (to - from < labelLengthMin || to - from > labelLengthMax) return;
    this.#lookUpWhole(from, to, labelAt - begin, labelEnd - begin);
    if (!this.#index.inside.isEmpty) this.#addInside(from, to, labelAt - begin, labelEnd - begin);
    for (let glued = gluedMax(this.#codes, from, to); glued >= gluedMin; glued -= 1) {
      let at = labelAt;
      for (let letters = 0; letters < glued; at += 1) {
        if ((byteCodes[bytes[at] as number] as number) < hyphenCode) letters += 1;
      }
      this.#lookUpWhole(from + glued, to, at - begin, labelEnd - begin);
    }
  }

  /** Looks up a whole label: its coarse key, itself, and its one- and two-character deletions. */
  #lookUpWhole(from: number, to: number, fromByte: number, toByte: number): void {
    const length = to - from;
    const { keys, twoLengthMax, coarse } = this.#index;
    if (length < labelLengthMin || length > labelLengthMax || keys.isEmpty) return;
    this.#measure(from, to, fromByte, toByte);
    const weak = this.#coarseKeyOf(from, to);
    if (weak !== 0 && coarse.has(weak)) this.#addFound(weak, false);
    const neighbourhood = this.#neighbourhood;
    neighbourhood.lookUpOneDeletion(keys, this.#codes, from, to);
    if (length < twoLengthMin || length > twoLengthMax) return;
    neighbourhood.lookUpTwoDeletions(keys, this.#codes, from, to);
  }

  #addInside(from: number, to: number, fromByte: number, toByte: number): void {
    this.#index.inside.forEachTerm(this.#codes, from, to, (term, isVariantWord) => {
      this.candidates.add(isVariantWord ? insideVaried : inside, term, fromByte, toByte);
    });
  }

  #measure(from: number, to: number, fromByte: number, toByte: number): void {
    this.#label = (this.#label + 1) | 0;
    this.#from = from;
    this.#to = to;
    this.#fromByte = fromByte;
    this.#toByte = toByte;
    this.#hash.measure(this.#codes, from, to);
  }

  #coarseKeyOf(from: number, to: number): number {
    const codes = this.#codes;
    let hash = coarseSeed;
    let last = 0;
    let length = 0;
    for (let at = from; at < to; at += 1) {
      const symbol = coarseSymbols[codes[at] as number] as number;
      if (symbol === 0 || symbol === last) continue;
      hash = withSymbol(hash, symbol, length++);
      last = symbol;
    }
    return length < coarseLengthMin ? 0 : hash;
  }

  #addFound(key: number, isTwo: boolean): void {
    const { table, allowsTwoEdits } = this.#index;
    for (let slot = table.find(key, table.begin(key)); slot >= 0; slot = table.find(key, table.after(slot))) {
      const value = table.at(slot);
      const term = value >> keyKindBits;
      const keyKind = value & keyKindMask;
      if (isTwo && (allowsTwoEdits[term] === 0 || keyKind !== plainKey)) continue;
      if (this.#lastFound[value] === this.#label) continue;
      this.#lastFound[value] = this.#label;
      if (this.#isNear(term, keyKind))
        this.candidates.add(whole + keyKind, term, this.#fromByte, this.#toByte);
    }
  }

  #isNear(term: number, keyKind: number): boolean {
    const { terms, allowsTwoEdits } = this.#index;
    const { codes } = terms[term] as IndexedTerm;
    if (keyKind === variedKey) return true;
    if (keyKind === coarseKey) return differsOnlyWeakly(codes, this.#codes, this.#from, this.#to);
    if (isWithinOneEdit(codes, this.#codes, this.#from, this.#to)) return true;
    return allowsTwoEdits[term] === 1 && isWithinTwoEdits(codes, this.#codes, this.#from, this.#to);
  }
}

const keyKindMask = (1 << keyKindBits) - 1;

function isPunycode(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at + 2] === 0x2d &&
    bytes[at + 3] === 0x2d &&
    ((bytes[at] as number) | 32) === 0x78 &&
    ((bytes[at + 1] as number) | 32) === 0x6e
  );
}

/** The most characters of a glued `www` or `http` prefix a label can begin with; 0 for none. The last may belong to the term. */
function gluedMax(codes: Uint16Array, from: number, to: number): number {
  let at = from;
  if (
    codes[at] === letterH &&
    codes[at + 1] === letterT &&
    codes[at + 2] === letterT &&
    codes[at + 3] === letterP
  ) {
    at += codes[from + 4] === letterS ? 5 : 4;
  }
  const end = Math.min(to, at + wwwMax);
  while (at < end && codes[at] === letterW) at += 1;
  return at - from < gluedMin || at >= to ? 0 : at - from;
}
