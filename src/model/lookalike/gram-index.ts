/**
 * Finds folded terms anywhere in a name by a few symbols of each, chosen to be rare: most names have none of them, and one look
 * at a small table tells. The rest is compared.
 */
import { foldOf, symbolMask } from './fold.ts';

/** Symbols that are looked at together, as bits. Shorter terms are found by as many as they have. */
const gramLength = 6;
export const symbolBits = 5;
export const gramMask = (1 << (gramLength * symbolBits)) - 1;
const mixer = 0x9e3779b1 | 0;
const bitsPerGram = 32;

/** How common letters are in names, about: the rarest come last. What is no letter is rarer still. */
const commonness = foldOf('lnrecoastgbvhpufkzyjxq');
/** Parts of words that are in many names, and the TLD that most end with. */
const commonParts = [
  'com ing tion line roup solu sign work mark arke home serv vice stud tech',
  'shop game lick cons medi digi ital glob life web hous care world port ment',
  'ness real esta tate trav food heal clea book tren deal wood land auto comp',
]
  .flatMap((words) => words.split(' '))
  .map(foldOf);
const commonPartCost = 40;

/** Symbols of a term together, and the place of the last of them in it. */
export interface Gram {
  readonly gram: number;
  readonly place: number;
}

interface GrammedTerm {
  readonly symbols: string;
  readonly rarestGram: Gram;
}

export class GramIndex {
  readonly #words: Int32Array;
  readonly #wordShift: number;
  /** By gram, mixed: the first that is filed; then by what is filed the next one, or -1. */
  readonly #firsts: Int32Array;
  readonly #firstShift: number;
  readonly #nexts: Int32Array;
  readonly #grams: Int32Array;
  readonly #terms: Int32Array;
  readonly #places: Uint8Array;
  readonly #symbols: readonly string[];
  /** For terms with fewer symbols than a gram has: what is left of a gram. */
  readonly shortMasks: readonly number[];

  constructor(terms: readonly GrammedTerm[]) {
    const filed = terms.flatMap(({ symbols, rarestGram }, term) =>
      symbols === '' ? [] : [{ ...rarestGram, term }],
    );
    const log = Math.max(9, Math.ceil(Math.log2(filed.length * bitsPerGram + 1)));
    this.#words = new Int32Array(1 << (log - 5));
    this.#wordShift = 37 - log;
    const firstsLog = Math.max(4, log - 4);
    this.#firsts = new Int32Array(1 << firstsLog).fill(-1);
    this.#firstShift = 32 - firstsLog;
    this.#nexts = new Int32Array(filed.length);
    this.#grams = Int32Array.from(filed, ({ gram }) => gram);
    this.#terms = Int32Array.from(filed, ({ term }) => term);
    this.#places = Uint8Array.from(filed, ({ place }) => place);
    this.#symbols = terms.map(({ symbols }) => symbols);
    const lengths = new Set(
      terms.map(({ symbols }) => symbols.length).filter((length) => length > 0 && length < gramLength),
    );
    this.shortMasks = Array.from(lengths, (length) => (1 << (length * symbolBits)) - 1);
    filed.forEach(({ gram }, index) => {
      const mixed = Math.imul(gram, mixer);
      const word = mixed >>> this.#wordShift;
      this.#words[word] = (this.#words[word] as number) | maskOf(mixed);
      const first = mixed >>> this.#firstShift;
      this.#nexts[index] = this.#firsts[first] as number;
      this.#firsts[first] = index;
    });
  }

  /** Whether a term may be filed under these symbols. */
  has(gram: number): boolean {
    const mixed = Math.imul(gram, mixer);
    return (~(this.#words[mixed >>> this.#wordShift] as number) & maskOf(mixed)) === 0;
  }

  /** Whether one is. */
  isFiled(gram: number): boolean {
    let index = this.#firsts[Math.imul(gram, mixer) >>> this.#firstShift] as number;
    while (index >= 0 && this.#grams[index] !== gram) index = this.#nexts[index] as number;
    return index >= 0;
  }

  /** Tells the terms whose symbols are here: the last of the gram is at this place. With where each ends. */
  forEachTerm(
    gram: number,
    symbols: Uint8Array,
    at: number,
    count: number,
    take: (term: number, end: number) => void,
  ): void {
    for (
      let index = this.#firsts[Math.imul(gram, mixer) >>> this.#firstShift] as number;
      index >= 0;
      index = this.#nexts[index] as number
    ) {
      if (this.#grams[index] !== gram) continue;
      const term = this.#terms[index] as number;
      const text = this.#symbols[term] as string;
      const begin = at - (this.#places[index] as number);
      if (begin >= 0 && begin + text.length <= count && isHere(text, symbols, begin))
        take(term, begin + text.length);
    }
  }
}

/** Both bits of a gram are in the same word. */
function maskOf(mixed: number): number {
  return (1 << mixed) | (1 << (mixed >>> 5));
}

function isHere(text: string, symbols: Uint8Array, begin: number): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== symbols[begin + at]) return false;
  return true;
}

/** The rarest stretch of folded text. */
export function rarestGramOf(text: string): Gram {
  const length = Math.min(gramLength, text.length);
  let [best, bestPlace] = [Number.NEGATIVE_INFINITY, length - 1];
  for (let place = length - 1; place < text.length; place += 1) {
    let rarity = 0;
    for (let at = place - length + 1; at <= place; at += 1)
      rarity += commonness.indexOf(text[at] as string) & symbolMask;
    const stretch = text.slice(place - length + 1, place + 1);
    if (commonParts.some((part) => stretch.includes(part))) rarity -= commonPartCost;
    if (rarity > best) [best, bestPlace] = [rarity, place];
  }
  let gram = 0;
  for (let at = bestPlace - length + 1; at <= bestPlace; at += 1)
    gram = (gram << symbolBits) | text.charCodeAt(at);
  return { gram, place: bestPlace };
}
