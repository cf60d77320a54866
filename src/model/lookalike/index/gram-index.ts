/**
 * N-gram index for exact containment: each folded term is filed under its rarest 6-gram (q-gram filtering). A Bloom filter of
 * the grams rejects almost every position of a name with one memory read; on a hit the whole term is compared.
 */
import { foldOf, symbolMask } from '../fold/fold.ts';

/** In symbols. Shorter terms are filed under all the symbols they have. */
const gramLength = 6;
export const symbolBits = 5;
export const gramMask = (1 << (gramLength * symbolBits)) - 1;
const mixer = 0x9e3779b1 | 0;
const bitsPerGram = 32;

/** Letters by approximate frequency in domain names, the most common first. Anything else is rarer still. */
const commonness = foldOf('lnrecoastgbvhpufkzyjxq');
/** Word fragments that many names contain, and the most common TLD. */
const commonParts = [
  'com ing tion line roup solu sign work mark arke home serv vice stud tech',
  'shop game lick cons medi digi ital glob life web hous care world port ment',
  'ness real esta tate trav food heal clea book tren deal wood land auto comp',
]
  .flatMap((words) => words.split(' '))
  .map(foldOf);
const commonPartCost = 40;

/** The packed symbols of an n-gram, and the index of the last of them in the term. */
export interface Gram {
  readonly gram: number;
  readonly lastIndex: number;
}

interface TermWithGram {
  readonly symbols: string;
  readonly rarestGram: Gram;
}

export class GramIndex {
  readonly #words: Int32Array;
  readonly #wordShift: number;
  /** Hash table with chaining: the first entry by hash of a gram, then the next entry by entry, or -1. */
  readonly #firsts: Int32Array;
  readonly #firstShift: number;
  readonly #nexts: Int32Array;
  readonly #grams: Int32Array;
  readonly #terms: Int32Array;
  readonly #lastIndexes: Uint8Array;
  readonly #symbols: readonly string[];
  /** Bit masks that reduce a gram to the lengths of the terms that are shorter than one. */
  readonly shortMasks: readonly number[];

  constructor(terms: readonly TermWithGram[]) {
    const entries = terms.flatMap(({ symbols, rarestGram }, term) =>
      symbols === '' ? [] : [{ ...rarestGram, term }],
    );
    const log = Math.max(9, Math.ceil(Math.log2(entries.length * bitsPerGram + 1)));
    this.#words = new Int32Array(1 << (log - 5));
    this.#wordShift = 37 - log;
    const firstsLog = Math.max(4, log - 4);
    this.#firsts = new Int32Array(1 << firstsLog).fill(-1);
    this.#firstShift = 32 - firstsLog;
    this.#nexts = new Int32Array(entries.length);
    this.#grams = Int32Array.from(entries, ({ gram }) => gram);
    this.#terms = Int32Array.from(entries, ({ term }) => term);
    this.#lastIndexes = Uint8Array.from(entries, ({ lastIndex }) => lastIndex);
    this.#symbols = terms.map(({ symbols }) => symbols);
    const lengths = new Set(
      terms.map(({ symbols }) => symbols.length).filter((length) => length > 0 && length < gramLength),
    );
    this.shortMasks = Array.from(lengths, (length) => (1 << (length * symbolBits)) - 1);
    entries.forEach(({ gram }, index) => {
      const mixed = Math.imul(gram, mixer);
      const word = mixed >>> this.#wordShift;
      this.#words[word] = (this.#words[word] as number) | maskOf(mixed);
      const first = mixed >>> this.#firstShift;
      this.#nexts[index] = this.#firsts[first] as number;
      this.#firsts[first] = index;
    });
  }

  /** Bloom filter test: whether a term may be filed under this gram. */
  has(gram: number): boolean {
    const mixed = Math.imul(gram, mixer);
    return (~(this.#words[mixed >>> this.#wordShift] as number) & maskOf(mixed)) === 0;
  }

  /** Exact test: whether a term is filed under this gram. */
  isFiled(gram: number): boolean {
    let index = this.#firsts[Math.imul(gram, mixer) >>> this.#firstShift] as number;
    while (index >= 0 && this.#grams[index] !== gram) index = this.#nexts[index] as number;
    return index >= 0;
  }

  /** Visits the terms contained in `symbols` at a gram whose last symbol is at `at`, with the end of each. */
  forEachTerm(
    gram: number,
    symbols: Uint8Array,
    at: number,
    count: number,
    visit: (term: number, end: number) => void,
  ): void {
    for (
      let index = this.#firsts[Math.imul(gram, mixer) >>> this.#firstShift] as number;
      index >= 0;
      index = this.#nexts[index] as number
    ) {
      if (this.#grams[index] !== gram) continue;
      const term = this.#terms[index] as number;
      const text = this.#symbols[term] as string;
      const begin = at - (this.#lastIndexes[index] as number);
      if (begin >= 0 && begin + text.length <= count && isAt(text, symbols, begin))
        visit(term, begin + text.length);
    }
  }
}

/** Both bits of a gram are in the same word (blocked Bloom filter). */
function maskOf(mixed: number): number {
  return (1 << mixed) | (1 << (mixed >>> 5));
}

function isAt(text: string, symbols: Uint8Array, begin: number): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== symbols[begin + at]) return false;
  return true;
}

/** The n-gram of a folded text that is expected to be rarest in names. */
export function rarestGramOf(text: string): Gram {
  const length = Math.min(gramLength, text.length);
  let [best, bestIndex] = [Number.NEGATIVE_INFINITY, length - 1];
  for (let last = length - 1; last < text.length; last += 1) {
    let rarity = 0;
    for (let at = last - length + 1; at <= last; at += 1)
      rarity += commonness.indexOf(text[at] as string) & symbolMask;
    const part = text.slice(last - length + 1, last + 1);
    if (commonParts.some((common) => part.includes(common))) rarity -= commonPartCost;
    if (rarity > best) [best, bestIndex] = [rarity, last];
  }
  let gram = 0;
  for (let at = bestIndex - length + 1; at <= bestIndex; at += 1)
    gram = (gram << symbolBits) | text.charCodeAt(at);
  return { gram, lastIndex: bestIndex };
}
