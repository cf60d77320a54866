/** All terms in the structures that names are run through. */
import { EndedKeys } from './ended-keys.ts';
import { GramIndex } from './gram-index.ts';
import type { IndexedTerm } from './indexed-term.ts';
import { InsideIndex } from './inside-index.ts';
import { KeyBits, KeyTable } from './key-table.ts';

/** What is filed under a key: a term, and in the low bits what of it has the key. */
export const [plainKey, variedKey, coarseKey] = [0, 1, 2] as const;
export const keyKindBits = 2;

export class TermIndex {
  readonly terms: readonly IndexedTerm[];
  readonly grams: GramIndex;
  /** Whether anything may be filed under a key, and what is. */
  readonly keys: EndedKeys;
  readonly coarse: KeyBits;
  readonly table: KeyTable;
  readonly inside: InsideIndex;
  /** By term: whether two edits may be made to it. */
  readonly takesTwo: Uint8Array;
  /** No label with more characters is looked up with two left out. */
  readonly twoLengthMax: number;

  constructor(terms: readonly IndexedTerm[]) {
    this.terms = terms;
    this.grams = new GramIndex(terms);
    const long = terms.filter(({ keys }) => keys.takesTwo);
    this.takesTwo = Uint8Array.from(terms, ({ keys }) => Number(keys.takesTwo));
    this.twoLengthMax = long.reduce((most, { label }) => Math.max(most, label.characters.length + 2), 0);
    this.keys = new EndedKeys(terms.flatMap(({ keys }) => [keys.one, keys.varied, keys.two]));
    this.coarse = coarseBits(terms);
    this.inside = new InsideIndex(terms);
    this.table = tableOf(terms);
  }
}

function coarseBits(terms: readonly IndexedTerm[]): KeyBits {
  const bits = new KeyBits(terms.length);
  for (const { keys } of terms) bits.add(keys.coarse);
  return bits;
}

function tableOf(terms: readonly IndexedTerm[]): KeyTable {
  let size = 0;
  for (const { keys } of terms) {
    size += keys.one.keys.length + keys.two.keys.length + keys.varied.keys.length + keys.coarse.length;
  }
  const table = new KeyTable(size);
  terms.forEach(({ keys }, term) => {
    const filed = term << keyKindBits;
    table.add(keys.one.keys, filed | plainKey);
    table.add(keys.two.keys, filed | plainKey);
    table.add(keys.varied.keys, filed | variedKey);
    table.add(keys.coarse, filed | coarseKey);
  });
  return table;
}
