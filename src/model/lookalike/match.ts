/** A name that looks like a term, and why. */

/** How somebody could have come from the term to the name. */
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
  /** Variations also inside longer labels, not only of whole ones. */
  readonly substringVariations: boolean;
}

/** One change to the text as it stands after the steps before it: at this place, this was taken out and that put in. */
export interface Step {
  readonly class: MatchClass;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

export interface LookalikeMatch {
  /** The place of the term in the list that the matcher was made of. */
  readonly term: number;
  /** What says most about the likeness. */
  readonly class: MatchClass;
  /** Applied one after another to the term, they give `text`. */
  readonly steps: readonly Step[];
  /** The name in Unicode, lower case, as it was matched, and in punycode where that differs. */
  readonly name: string;
  readonly punycode?: string;
  /** The stretch of `name` that is like the term: `text` is `name.slice(from, to)`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Edits that are not foldings: 0 for exact and folded, 1, or 2 for long terms. */
  readonly distance: number;
}
