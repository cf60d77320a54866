/** How many letters a term must have for what, so that short ones do not match half of all names. */

/** Contained in a label beside anything; shorter ones only between hyphens, digits, ends of labels and common words. */
export const containedAnywhereMin = 5;

/** One edit of a whole label. */
export const wholeVariationMin = 5;

/** One edit inside a longer label, where the monitor asks for it. */
export const insideVariationMin = 6;

/** Two edits of a whole label. */
export const twoEditsMin = 12;
/** Longer terms would fill the index. */
export const twoEditsMax = 32;
