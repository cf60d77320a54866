/**
 * Calibration by isotonic regression with the pool-adjacent-violators algorithm (https://en.wikipedia.org/wiki/Isotonic_regression):
 * fits the share of bad names as a non-decreasing function of the log-odds, on names that the trees were not trained on.
 */
import type { CalibrationCurve } from '../../src/model/risk/name/calibration-curve.ts';

export interface ScoredExample {
  readonly logOdds: number;
  readonly isBad: boolean;
}

const blocksMax = 200;
const blockSizeMin = 50;

/** The good and the bad names have the same total weight. */
export function fitIsotonic(examples: readonly ScoredExample[]): CalibrationCurve {
  const sorted = examples.toSorted((a, b) => a.logOdds - b.logOdds);
  const bad = sorted.filter(({ isBad }) => isBad).length;
  const badWeight = bad === 0 ? 0 : sorted.length / (2 * bad);
  const goodWeight = bad === sorted.length ? 0 : sorted.length / (2 * (sorted.length - bad));
  const size = Math.max(blockSizeMin, Math.ceil(sorted.length / blocksMax));
  const merged: { logOdds: number; bad: number; all: number; names: number }[] = [];
  for (let from = 0; from < sorted.length; from += size) {
    const block = { logOdds: 0, bad: 0, all: 0, names: 0 };
    for (const { logOdds, isBad } of sorted.slice(from, from + size)) {
      block.logOdds += logOdds;
      block.names += 1;
      block.bad += isBad ? badWeight : 0;
      block.all += isBad ? badWeight : goodWeight;
    }
    merged.push(block);
    poolViolators(merged);
  }
  return {
    logOdds: Float32Array.from(merged, ({ logOdds, names }) => logOdds / names),
    shares: Float32Array.from(merged, ({ bad: sum, all }) => sum / all),
  };
}

function poolViolators(blocks: { logOdds: number; bad: number; all: number; names: number }[]): void {
  for (let last = blocks.length - 1; last > 0; last -= 1) {
    const [before, after] = [blocks[last - 1], blocks[last]];
    if (!before || !after || before.bad * after.all < after.bad * before.all) return;
    before.logOdds += after.logOdds;
    before.names += after.names;
    before.bad += after.bad;
    before.all += after.all;
    blocks.pop();
  }
}
