/** ASCII letters and digits that are taken for one another. */

/**
 * What is read as the same at a glance, by what it is folded to. Letters that look like a pair are folded to the pair, so that
 * the fold of a text is the fold of its characters one after another, wherever it is cut.
 */
export const folded: Readonly<Record<string, string>> = {
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

/** What is mistaken only by somebody who does not look closely. It counts as an edit, however often it occurs in a label. */
export const weaklyAlike: readonly (readonly [letter: string, alike: string])[] = [
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
 * A coarse key under which all weak lookalikes of a label fall together: these letters become the first of their group, those
 * in the last group nothing, and what is the same side by side becomes one.
 */
export const coarseGroups = ['cbdek38', 'nmr', 'gq96', 'vw', 'o0', 'a4', 's5', 't7', 'z2'] as const;
export const coarselyNothing = 'li1';
