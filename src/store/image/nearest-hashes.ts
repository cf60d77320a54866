import { alikeBitsMax, hammingDistance } from '../../model/picture/difference-hash.ts';

/** How many hashes a search reads for each quarter: bounds its work, whatever is stored. */
export const hashesPerQuarterMax = 100;

/** Of the hashes found by their quarters those within the bound, each once, nearest first. */
export function nearestHashes(
  hash: string,
  found: Iterable<string>,
): readonly (readonly [hash: string, distance: number])[] {
  return [...new Set(found)]
    .map((other) => [other, hammingDistance(hash, other)] as const)
    .filter(([, distance]) => distance <= alikeBitsMax)
    .sort(([, one], [, other]) => one - other);
}
