/** A hash that a label shares with all its weak lookalikes, whose groups are in `tables/ascii-homoglyphs.ts`. */

import { coarseSeed, withSymbol } from '../index/polynomial-hash.ts';
import { codesOf, hyphenCode, skeletonCodes } from './fold.ts';
import { coarseGroups, coarselyDropped } from './tables/ascii-homoglyphs.ts';

/** By code of `fold.ts`; 0 for dropped characters. A character without a group has a symbol of its own. */
export const coarseSymbols = new Uint16Array(hyphenCode);
for (let byte = 0; byte < 256; byte += 1) {
  const code = skeletonCodes[byte] as number;
  const character = String.fromCharCode(byte).toLowerCase();
  const group = coarseGroups.findIndex((members: string) => members.includes(character));
  if (code >= hyphenCode || coarselyDropped.includes(character)) continue;
  coarseSymbols[code] = group < 0 ? coarseGroups.length + code : group + 1;
}

/** A key of fewer symbols would be shared by too many labels. */
export const coarseLengthMin = 3;

/** Undefined if fewer symbols remain. */
export function findCoarseKey(characters: readonly string[]): number | undefined {
  let [hash, last, length] = [coarseSeed, 0, 0];
  for (const character of characters) {
    for (const code of codesOf(character)) {
      const symbol = coarseSymbols[code] as number;
      if (symbol === 0 || symbol === last) continue;
      hash = withSymbol(hash, symbol, length++);
      last = symbol;
    }
  }
  return length < coarseLengthMin ? undefined : hash;
}
