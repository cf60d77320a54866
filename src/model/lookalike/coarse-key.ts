/** A key that a label shares with all its weak lookalikes: `tables/look-alike-letters.ts` has the groups. */
import { codesOf, hyphenCode, skeletonCodes } from './fold.ts';
import { coarseSeed, withSymbol } from './symbol-sums.ts';
import { coarseGroups, coarselyNothing } from './tables/look-alike-letters.ts';

/** By code of `fold.ts`; 0 for what is left out. Characters without a group stand for themselves. */
export const coarseSymbols = new Uint16Array(hyphenCode);
for (let byte = 0; byte < 256; byte += 1) {
  const code = skeletonCodes[byte] as number;
  const character = String.fromCharCode(byte).toLowerCase();
  const group = coarseGroups.findIndex((members: string) => members.includes(character));
  if (code >= hyphenCode || coarselyNothing.includes(character)) continue;
  coarseSymbols[code] = group < 0 ? coarseGroups.length + code : group + 1;
}

/** Below this many symbols a key says nothing. */
export const coarseLengthMin = 3;

/** Undefined where too little is left. */
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
