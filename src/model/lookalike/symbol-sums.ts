/**
 * Hashes of folded texts as sums: each symbol times a power of its place. What follows something that is left out moves to the
 * left, which is one multiplication for all of it; so hashes of texts without something come from a few sums. All arithmetic
 * is in 32 bits.
 */
const base = 0x2c1b3c6d;
/** Times the base it is one. */
const inverse = inverseOf(base);
/** Coarse keys begin otherwise, so that they share a table with the others. */
export const plainSeed = 0x1d872b41;
export const coarseSeed = 0x5bd1e995;

/** No label has more symbols. */
export const symbolsMax = 160;

const powers = new Int32Array(symbolsMax + 1).fill(1);
/** By how many symbols something moves to the left: its factor. */
export const movings = new Int32Array(symbolsMax + 1).fill(1);
for (let power = 1; power <= symbolsMax; power += 1) {
  powers[power] = Math.imul(powers[power - 1] as number, base);
  movings[power] = Math.imul(movings[power - 1] as number, inverse);
}

function inverseOf(odd: number): number {
  let guess = odd;
  for (let round = 0; round < 5; round += 1) guess = Math.imul(guess, 2 - Math.imul(odd, guess));
  return guess;
}

/** A sum with the symbol at a place. */
export function withSymbol(sum: number, symbol: number, place: number): number {
  return (sum + Math.imul(symbol, powers[place] as number)) | 0;
}
