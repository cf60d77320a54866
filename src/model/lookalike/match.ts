/** The result of matching: a name that resembles a term (typosquat, combosquat, homoglyph …) and the edits that explain it. */

/** The ways to derive a lookalike from a term; the names follow dnstwist where it has one. */
export const matchClasses = [
  'exact',
  'affix',
  'combosquat',
  'omission',
  'insertion',
  'repetition',
  'transposition',
  'replacement',
  'vowel-swap',
  'plural',
  'hyphenation',
  'bit-flip',
  'leet',
  'homoglyph',
  'homophone',
  'numeral',
  'tld-swap',
  'dot',
  'subdomain',
  'wrong-second-level',
  'glued-prefix',
] as const;

export type MatchClass = (typeof matchClasses)[number];

export interface Term {
  readonly text: string;
  /** Also match variations inside longer labels, not only variations of whole labels. */
  readonly substringVariations: boolean;
}

/** One edit of a derivation. `at` is an offset in the text that the previous steps have produced. */
export interface Step {
  readonly class: MatchClass;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

export interface LookalikeMatch {
  /** Index of the term in the list given to the matcher. */
  readonly term: number;
  /** The most significant class among the steps. */
  readonly class: MatchClass;
  /** Applied in order to the term, they produce `text`. */
  readonly steps: readonly Step[];
  /** The name as matched: Unicode, lower case; and in punycode where that differs. */
  readonly name: string;
  readonly punycode?: string;
  /** The span of `name` that resembles the term: `text` is `name.slice(from, to)`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Edit distance after folding: 0 for exact and folded matches, 1, or 2 for long terms. */
  readonly distance: number;
}
