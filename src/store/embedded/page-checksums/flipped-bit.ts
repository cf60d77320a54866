/**
 * Finds a bit whose flip explains a wrong checksum. The sums are linear, so what a flip adds to them depends on its position alone; the
 * higher the bit in its word, the more positions add the same.
 */
import type { LogChecksum } from './log-checksum.ts';

export interface BitPosition {
  readonly byte: number;
  readonly bit: number;
  /** No other bit explains it. */
  readonly isOnly: boolean;
}

/** The words have the flipped bit. */
export function findFlippedBit(
  words: Int32Array,
  calculated: LogChecksum,
  stored: LogChecksum,
): BitPosition | undefined {
  const difference: Sums = [calculated.first - stored.first, calculated.second - stored.second];
  let found: BitPosition | undefined;
  // What one added to the earlier and to the later word of a pair adds to the two sums.
  let [early0, early1, late0, late1] = [1, 1, 0, 1];
  for (let at = words.length - 2; at >= 0; at -= 2) {
    for (const flip of [
      flipIn(words, at, [early0, early1], difference),
      flipIn(words, at + 1, [late0, late1], difference),
    ]) {
      if (flip && found) return { ...found, isOnly: false };
      found ??= flip;
    }
    [early0, early1] = [(early0 + early1) | 0, (early0 + 2 * early1) | 0];
    [late0, late1] = [(late0 + late1) | 0, (late0 + 2 * late1) | 0];
  }
  return found;
}

type Sums = readonly [number, number];

function flipIn(words: Int32Array, at: number, effect: Sums, difference: Sums): BitPosition | undefined {
  for (let bit = 0; bit < 32; bit += 1) {
    // A bit that is set now was added by the flip; one that is not was taken away.
    const change = ((words[at] as number) >>> bit) & 1 ? 1 << bit : -(1 << bit);
    if (
      Math.imul(change, effect[0]) === (difference[0] | 0) &&
      Math.imul(change, effect[1]) === (difference[1] | 0)
    )
      return { byte: at * 4 + (bit >>> 3), bit: bit & 7, isOnly: true };
  }
  return undefined;
}
