/**
 * Polynomial hash of a folded text, as in Rabin-Karp (https://en.wikipedia.org/wiki/Rolling_hash): the sum of each symbol times
 * base^index, modulo 2^32. Deleting symbols shifts what follows to the left, which is one multiplication by a power of the
 * inverse base; so the hash of any deletion follows from a few prefix hashes (`rolling-hash.ts`).
 */
const base = 0x2c1b3c6d;
/** The multiplicative inverse of the base modulo 2^32. */
const inverse = inverseOf(base);
/** Coarse keys have their own seed, because they share a table with the others. */
export const plainSeed = 0x1d872b41;
export const coarseSeed = 0x5bd1e995;

/** No label has more symbols. */
export const symbolsMax = 160;

const powers = new Int32Array(symbolsMax + 1).fill(1);
/** By shift distance in symbols: the factor that shifts a hash to the left. */
export const shiftFactors = new Int32Array(symbolsMax + 1).fill(1);
for (let power = 1; power <= symbolsMax; power += 1) {
  powers[power] = Math.imul(powers[power - 1] as number, base);
  shiftFactors[power] = Math.imul(shiftFactors[power - 1] as number, inverse);
}

/** Newton's iteration; each round doubles the number of correct bits. */
function inverseOf(odd: number): number {
  let guess = odd;
  for (let round = 0; round < 5; round += 1) guess = Math.imul(guess, 2 - Math.imul(odd, guess));
  return guess;
}

/** The hash with one more symbol at an index. */
export function withSymbol(hash: number, symbol: number, index: number): number {
  return (hash + Math.imul(symbol, powers[index] as number)) | 0;
}
