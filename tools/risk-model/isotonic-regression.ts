/**
 * Calibration by isotonic regression with the pool-adjacent-violators algorithm (https://en.wikipedia.org/wiki/Isotonic_regression):
 * fits the evidence as a non-decreasing function of the log-odds, on names that the trees were not trained on.
 */
import type { CalibrationCurve } from '../../src/model/risk/name/calibration-curve.ts';

export interface WeightedExample {
  readonly logOdds: number;
  readonly isBad: boolean;
  readonly weight: number;
}

const blocksMax = 1000;
const blockSizeMin = 50;
/** Names added to each side of a block, so that a few names prove only a little. */
const pseudocount = 0.5;

interface Block {
  logOdds: number;
  bad: number;
  good: number;
  names: number;
}

/** The good and the bad names have the same total weight. */
export function fitIsotonic(examples: readonly WeightedExample[]): CalibrationCurve {
  const sorted = examples.toSorted((a, b) => a.logOdds - b.logOdds);
  const [badUnit, goodUnit] = [unitOf(sorted, true), unitOf(sorted, false)];
  const size = Math.max(blockSizeMin, Math.ceil(sorted.length / blocksMax));
  const merged: Block[] = [];
  for (let from = 0; from < sorted.length; from += size) {
    const block = { logOdds: 0, bad: 0, good: 0, names: 0 };
    for (const { logOdds, isBad, weight } of sorted.slice(from, from + size)) {
      block.logOdds += logOdds;
      block.names += 1;
      if (isBad) block.bad += weight * badUnit;
      else block.good += weight * goodUnit;
    }
    merged.push(block);
    poolViolators(merged);
  }
  let least = Number.NEGATIVE_INFINITY;
  return {
    logOdds: Float32Array.from(merged, ({ logOdds, names }) => logOdds / names),
    evidence: Float32Array.from(merged, ({ bad, good }) => {
      least = Math.max(least, Math.log((bad + pseudocount) / (good + pseudocount)));
      return least;
    }),
  };
}

/** The factor by which a side has half the weight of all names. */
function unitOf(examples: readonly WeightedExample[], isBad: boolean): number {
  let sum = 0;
  for (const example of examples) if (example.isBad === isBad) sum += example.weight;
  return sum === 0 ? 0 : examples.length / 2 / sum;
}

function poolViolators(blocks: Block[]): void {
  for (let last = blocks.length - 1; last > 0; last -= 1) {
    const [before, after] = [blocks[last - 1], blocks[last]];
    if (!before || !after || before.bad * after.good < after.bad * before.good) return;
    before.logOdds += after.logOdds;
    before.names += after.names;
    before.bad += after.bad;
    before.good += after.good;
    blocks.pop();
  }
}
