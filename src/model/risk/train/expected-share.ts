/**
 * Names and records to learn from are as often bad as good, and domains are not. Of several scores the largest counts, too, so each has
 * several chances to be wrong: such a score says how sure one may be where one domain in six is bad in its way. What a name alone says of
 * phishing is measured as it is.
 */
import type { ScoreCurve } from '../score-curve.ts';

export const badToGood = 1 / 5;

export function expectingFewer({ logOdds, shares }: ScoreCurve): ScoreCurve {
  return { logOdds, shares: shares.map((share) => (badToGood * share) / (badToGood * share + 1 - share)) };
}
