/** ASCII letters and digits that are mistaken for one another. */

/**
 * Homoglyphs, with the text each is folded to. Letters that resemble a pair are folded to the pair, so that the fold of a text
 * is the concatenation of the folds of its characters.
 */
export const asciiHomoglyphs: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  d: 'cl',
  i: 'l',
  m: 'rn',
  w: 'vv',
};

/** Mistaken only at a careless glance. All occurrences in a label together count as one edit. */
export const weakHomoglyphs: readonly (readonly [letter: string, alike: string])[] = [
  ['b', 'd'],
  ['b', 'lb'],
  ['c', 'e'],
  ['d', 'dl'],
  ['g', 'q'],
  ['h', 'lh'],
  ['k', 'lk'],
  ['k', 'lc'],
  ['m', 'n'],
  ['m', 'nn'],
  ['m', 'rr'],
  ['n', 'r'],
  ['3', '8'],
];

/**
 * The groups of the coarse key, in which all weak lookalikes of a label coincide: each letter becomes its group, the dropped
 * letters disappear, and repetitions collapse.
 */
export const coarseGroups = ['cbdek38', 'nmr', 'gq96', 'vw', 'o0', 'a4', 's5', 't7', 'z2'] as const;
export const coarselyDropped = 'li1';
