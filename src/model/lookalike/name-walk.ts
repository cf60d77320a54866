/**
 * One pass over the bytes of a name that finds where it may be like a term. Nothing is allocated for a name that is like
 * none, and most names are.
 */
import { Candidates, contained, inside, insideVaried, whole } from './candidates.ts';
import { coarseLengthMin, coarseSymbols } from './coarse-key.ts';
import {
  beyondAsciiCode,
  byteCodes,
  dotCode,
  hyphenCode,
  lineEndCode,
  secondShift,
  symbolMask,
} from './fold.ts';
import { FoundGrams } from './found-grams.ts';
import { gramMask, symbolBits } from './gram-index.ts';
import type { IndexedTerm } from './indexed-term.ts';
import { LabelSums, labelLengthMax } from './label-sums.ts';
import { twoEditsMin } from './lengths.ts';
import { MissingLookup } from './missing-lookup.ts';
import { isOneEditApart, isTwoEditsApart, isWeaklyNear } from './nearness.ts';
import { coarseSeed, withSymbol } from './symbol-sums.ts';
import { coarseKey, keyKindBits, plainKey, type TermIndex, variedKey } from './term-index.ts';

/** No name is longer in any form; a longer line is no name. */
export const nameLengthMax = 1024;
/** No shorter label has variations. */
const labelLengthMin = 4;
const gluedMin = 2;
const wwwMax = 4;
const twoLengthMin = twoEditsMin - 2;

const [letterW, letterH, letterT, letterP, letterS] = Array.from(
  'whtps',
  (letter) => byteCodes[letter.charCodeAt(0)],
);

export class NameWalk {
  readonly candidates = new Candidates();
  /** The name has to be brought into its skeleton first. */
  isBeyondAscii = false;
  readonly #index: TermIndex;
  /** Codes of the characters of the name, without what divides them. */
  readonly #codes = new Uint16Array(nameLengthMax + 1);
  readonly #grams = new FoundGrams();
  /** Of a name in which grams were found: its symbols, and behind which byte their characters end. */
  readonly #symbols = new Uint8Array(2 * nameLengthMax + 2);
  readonly #symbolEnds = new Uint16Array(2 * nameLengthMax + 2);
  readonly #sums = new LabelSums();
  readonly #missing: MissingLookup;
  /** By what was found: the last label in which it was, of all labels ever, so that it is told once. */
  readonly #told: Int32Array;
  /** The label at hand: its number, its characters, and its bytes. */
  #label = 0;
  #from = 0;
  #to = 0;
  #fromByte = 0;
  #toByte = 0;

  constructor(index: TermIndex) {
    this.#index = index;
    this.#told = new Int32Array(index.terms.length << keyKindBits);
    this.#missing = new MissingLookup(this.#sums, (key, isTwo) => this.#found(key, isTwo));
  }

  /** From the beginning of a name to the end of the line, which it tells. */
  walk(bytes: Uint8Array, begin: number, limit: number, codesOfBytes: Uint16Array): number {
    const { grams } = this.#index;
    const { shortMasks } = grams;
    const codes = this.#codes;
    this.#grams.clear();
    const mayBeCoded = codesOfBytes === byteCodes;
    this.candidates.length = 0;
    this.isBeyondAscii = mayBeCoded && isCoded(bytes, begin);
    // Assigned one by one here and below: taking a list apart costs more than the rest of a step.
    let gram = 0;
    let symbols = 0;
    let count = 0;
    let at = begin;
    // Of the label and of the one before: its first character, and where it begins.
    let label = 0;
    let labelAt = begin;
    let before = -1;
    let beforeAt = begin;
    for (; at < limit; at += 1) {
      const code = codesOfBytes[bytes[at] as number] as number;
      if (code < hyphenCode) {
        gram = ((gram << symbolBits) | (code & symbolMask)) & gramMask;
        if (grams.has(gram) && grams.isFiled(gram)) this.#grams.add(gram, symbols);
        if (shortMasks.length > 0) this.#takeShort(gram, symbols);
        symbols += 1;
        const second = code >> secondShift;
        if (second !== 0) {
          gram = ((gram << symbolBits) | second) & gramMask;
          if (grams.has(gram) && grams.isFiled(gram)) this.#grams.add(gram, symbols);
          if (shortMasks.length > 0) this.#takeShort(gram, symbols);
          symbols += 1;
        }
        if (count < nameLengthMax) codes[count++] = code;
      } else if (code === dotCode) {
        this.#takeLabel(bytes, begin, label, count, labelAt, at);
        if (before >= 0) this.#takeWhole(before, count, beforeAt - begin, at - begin);
        before = label;
        beforeAt = labelAt;
        label = count;
        labelAt = at + 1;
        if (mayBeCoded && isCoded(bytes, at + 1)) this.isBeyondAscii = true;
      } else if (code === lineEndCode) break;
      else if (code === beyondAsciiCode) this.isBeyondAscii = true;
    }
    // The last label is a suffix, unless it is the only one.
    if (before < 0 || label === count) this.#takeLabel(bytes, begin, label, count, labelAt, at);
    if (at - begin > nameLengthMax) {
      this.candidates.length = 0;
      this.isBeyondAscii = false;
    } else if (this.#grams.length > 0) this.#takeContained(bytes, begin, at, codesOfBytes);
    return at;
  }

  #takeShort(gram: number, place: number): void {
    const { grams } = this.#index;
    for (const mask of grams.shortMasks) {
      if (grams.has(gram & mask) && grams.isFiled(gram & mask)) this.#grams.add(gram & mask, place);
    }
  }

  /** Looks at the grams that were found now that the whole name is known. */
  #takeContained(bytes: Uint8Array, begin: number, end: number, codesOfBytes: Uint16Array): void {
    const symbols = this.#symbols;
    const ends = this.#symbolEnds;
    let count = 0;
    for (let at = begin; at < end; at += 1) {
      const code = codesOfBytes[bytes[at] as number] as number;
      if (code >= hyphenCode) continue;
      symbols[count] = code & symbolMask;
      ends[count++] = at + 1 - begin;
      if (code >> secondShift === 0) continue;
      // Between the two symbols of one character nothing ends.
      ends[count - 1] = 0;
      symbols[count] = code >> secondShift;
      ends[count++] = at + 1 - begin;
    }
    for (let index = 0; index < this.#grams.length; index += 1) {
      this.#index.grams.forEachTerm(
        this.#grams.gram(index),
        symbols,
        this.#grams.place(index),
        count,
        (term, textEnd) => {
          const place = ends[textEnd - 1] as number;
          if (place > 0) this.candidates.add(contained, term, 0, place);
        },
      );
    }
  }

  #takeLabel(
    bytes: Uint8Array,
    begin: number,
    from: number,
    to: number,
    labelAt: number,
    labelEnd: number,
  ): void {
    if (to - from < labelLengthMin || to - from > labelLengthMax) return;
    this.#takeWhole(from, to, labelAt - begin, labelEnd - begin);
    if (!this.#index.inside.isEmpty) this.#takeInside(from, to, labelAt - begin, labelEnd - begin);
    for (let glued = gluedMax(this.#codes, from, to); glued >= gluedMin; glued -= 1) {
      let at = labelAt;
      for (let letters = 0; letters < glued; at += 1) {
        if ((byteCodes[bytes[at] as number] as number) < hyphenCode) letters += 1;
      }
      this.#takeWhole(from + glued, to, at - begin, labelEnd - begin);
    }
  }

  /** Whole labels, with nothing, one and two characters left out. */
  #takeWhole(from: number, to: number, fromByte: number, toByte: number): void {
    const length = to - from;
    const { keys, twoLengthMax, coarse } = this.#index;
    if (length < labelLengthMin || length > labelLengthMax || keys.isEmpty) return;
    this.#measure(from, to, fromByte, toByte);
    const weak = this.#coarseKeyOf(from, to);
    if (weak !== 0 && coarse.has(weak)) this.#found(weak, false);
    const missing = this.#missing;
    missing.takeOne(keys, this.#codes, from, to);
    if (length < twoLengthMin || length > twoLengthMax) return;
    missing.takeTwo(keys, this.#codes, from, to);
  }

  #takeInside(from: number, to: number, fromByte: number, toByte: number): void {
    this.#index.inside.forEachTerm(this.#codes, from, to, (term, isWord) => {
      this.candidates.add(isWord ? insideVaried : inside, term, fromByte, toByte);
    });
  }

  #measure(from: number, to: number, fromByte: number, toByte: number): void {
    this.#label = (this.#label + 1) | 0;
    this.#from = from;
    this.#to = to;
    this.#fromByte = fromByte;
    this.#toByte = toByte;
    this.#sums.measure(this.#codes, from, to);
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

  #found(key: number, isTwo: boolean): void {
    const { table, takesTwo } = this.#index;
    for (
      let place = table.find(key, table.begin(key));
      place >= 0;
      place = table.find(key, table.behind(place))
    ) {
      const filed = table.at(place);
      const term = filed >> keyKindBits;
      const keyKind = filed & keyKindMask;
      if (isTwo && (takesTwo[term] === 0 || keyKind !== plainKey)) continue;
      // A term is filed under its keys in three ways, of which each is told once.
      if (this.#told[filed] === this.#label) continue;
      this.#told[filed] = this.#label;
      if (this.#isNear(term, keyKind))
        this.candidates.add(whole + keyKind, term, this.#fromByte, this.#toByte);
    }
  }

  #isNear(term: number, keyKind: number): boolean {
    const { terms, takesTwo } = this.#index;
    const { codes } = terms[term] as IndexedTerm;
    if (keyKind === variedKey) return true;
    if (keyKind === coarseKey) return isWeaklyNear(codes, this.#codes, this.#from, this.#to);
    if (isOneEditApart(codes, this.#codes, this.#from, this.#to)) return true;
    return takesTwo[term] === 1 && isTwoEditsApart(codes, this.#codes, this.#from, this.#to);
  }
}

const keyKindMask = (1 << keyKindBits) - 1;

function isCoded(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at + 2] === 0x2d &&
    bytes[at + 3] === 0x2d &&
    ((bytes[at] as number) | 32) === 0x78 &&
    ((bytes[at + 1] as number) | 32) === 0x6e
  );
}

/** How many characters of `www` or `http` a label begins with at most; 0 for none. The last ones may belong to the term. */
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
