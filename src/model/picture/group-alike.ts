/** Groups images that look alike: each hash joins the nearest earlier representative within the bound, or begins a group. */
import { alikeBitsMax, bitCount } from './difference-hash.ts';

/** A hash that many others share a quarter with is compared with the first of them only, so that the work stays linear. */
const candidatesMax = 16;
const quarterBits = 16;

/**
 * The representative of every hash, itself where it begins a group. Hashes are taken in the order given, so the same list gives the same
 * groups. Representatives are found by their quarters (see `nearbyQuarters`), not by comparing all pairs.
 */
export function groupAlike(hashes: Iterable<string>): ReadonlyMap<string, string> {
  const representatives = new Map<string, string>();
  const index = new QuarterIndex();
  for (const hash of hashes) {
    if (!representatives.has(hash)) representatives.set(hash, index.findOrAdd(hash));
  }
  return representatives;
}

/** For groups that are made in time slices. Halves of hashes are numbers: texts would be parsed again for each comparison. */
export class QuarterIndex {
  readonly #hashes: string[] = [];
  readonly #highs: number[] = [];
  readonly #lows: number[] = [];
  /** By quarter and its bits, for each of the four quarters. */
  readonly #byQuarter = [0, 1, 2, 3].map(() => new Map<number, number[]>());

  /** The representative of the hash. */
  findOrAdd(hash: string): string {
    const [high, low] = [Number.parseInt(hash.slice(0, 8), 16) | 0, Number.parseInt(hash.slice(8), 16) | 0];
    const quarters = [high >>> quarterBits, high & 0xffff, low >>> quarterBits, low & 0xffff];
    const nearest = this.#findNearest(high, low, quarters);
    if (nearest !== undefined) return this.#hashes[nearest] as string;
    const added = this.#hashes.push(hash) - 1;
    this.#highs.push(high);
    this.#lows.push(low);
    for (const [quarter, bits] of quarters.entries()) this.#add(quarter, bits, added);
    return hash;
  }

  #findNearest(high: number, low: number, quarters: readonly number[]): number | undefined {
    let [nearest, distance]: [number | undefined, number] = [undefined, alikeBitsMax + 1];
    for (const [quarter, bits] of quarters.entries()) {
      const known = this.#byQuarter[quarter] as Map<number, number[]>;
      // All bits, then all but one.
      for (let bit = -1; bit < quarterBits; bit += 1) {
        for (const candidate of known.get(bit < 0 ? bits : bits ^ (1 << bit)) ?? []) {
          const apart =
            bitCount(high ^ (this.#highs[candidate] as number)) +
            bitCount(low ^ (this.#lows[candidate] as number));
          // Of equally near ones the earliest.
          if (apart < distance || (apart === distance && candidate < (nearest ?? 0)))
            [nearest, distance] = [candidate, apart];
        }
      }
    }
    return nearest;
  }

  #add(quarter: number, bits: number, added: number): void {
    const known = this.#byQuarter[quarter] as Map<number, number[]>;
    const same = known.get(bits);
    if (same === undefined) known.set(bits, [added]);
    else if (same.length < candidatesMax) same.push(added);
  }
}
