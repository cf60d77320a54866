/** The search structures over all terms that `name-scan.ts` runs a name through. */
import { BloomFilter } from './bloom-filter.ts';
import { GramIndex } from './gram-index.ts';
import { HalfTermIndex } from './half-term-index.ts';
import { HashTable } from './hash-table.ts';
import type { IndexedTerm } from './indexed-term.ts';
import { WordBloomFilter } from './word-bloom-filter.ts';

/** A value of the hash table is the index of a term, with the kind of the key in the low bits. */
export const [plainKey, variedKey, coarseKey] = [0, 1, 2] as const;
export const keyKindBits = 2;

export class TermIndex {
  readonly terms: readonly IndexedTerm[];
  readonly grams: GramIndex;
  /** Bloom filters of the deletion keys and of the coarse keys; `table` has the terms by key of either sort. */
  readonly keys: BloomFilter;
  readonly coarse: WordBloomFilter;
  readonly table: HashTable;
  readonly inside: HalfTermIndex;
  /** By term: 1 if it matches labels within two edits. */
  readonly allowsTwoEdits: Uint8Array;
  /** The longest label, in characters, that is looked up with two deletions. */
  readonly twoLengthMax: number;

  constructor(terms: readonly IndexedTerm[]) {
    this.terms = terms;
    this.grams = new GramIndex(terms);
    const long = terms.filter(({ keys }) => keys.allowsTwoEdits);
    this.allowsTwoEdits = Uint8Array.from(terms, ({ keys }) => Number(keys.allowsTwoEdits));
    this.twoLengthMax = long.reduce((most, { label }) => Math.max(most, label.characters.length + 2), 0);
    this.keys = new BloomFilter(terms.flatMap(({ keys }) => [keys.one, keys.varied, keys.two]));
    this.coarse = coarseBits(terms);
    this.inside = new HalfTermIndex(terms);
    this.table = tableOf(terms);
  }
}

function coarseBits(terms: readonly IndexedTerm[]): WordBloomFilter {
  const bits = new WordBloomFilter(terms.length);
  for (const { keys } of terms) bits.add(keys.coarse);
  return bits;
}

function tableOf(terms: readonly IndexedTerm[]): HashTable {
  let size = 0;
  for (const { keys } of terms) {
    size += keys.one.keys.length + keys.two.keys.length + keys.varied.keys.length + keys.coarse.length;
  }
  const table = new HashTable(size);
  terms.forEach(({ keys }, term) => {
    const value = term << keyKindBits;
    table.add(keys.one.keys, value | plainKey);
    table.add(keys.two.keys, value | plainKey);
    table.add(keys.varied.keys, value | variedKey);
    table.add(keys.coarse, value | coarseKey);
  });
  return table;
}
