/** Minimum term lengths, in letters, for each kind of match: short terms would otherwise match half of all names. */

/** Contained anywhere in a label. Shorter terms count only between hyphens, digits, label ends and common words. */
export const containedAnywhereMin = 5;

/** One edit of a whole label. */
export const wholeVariationMin = 5;

/** One edit inside a longer label, for terms with `substringVariations`. */
export const insideVariationMin = 6;

/** Two edits of a whole label. */
export const twoEditsMin = 12;
/** The deletion neighbourhood of a longer term would fill the index. */
export const twoEditsMax = 32;
