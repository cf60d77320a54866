/**
 * Fits the curve from log-odds to scores to names that the trees were not grown on: the share of bad names, never falling as the
 * log-odds rise (isotonic regression, by merging neighbours that fall).
 */
import type { ScoreCurve } from '../score-curve.ts';

export interface Judged {
  readonly logOdds: number;
  readonly isBad: boolean;
}

const stretchesMax = 200;
const stretchMin = 50;

/** Good and bad names weigh the same in all, however many there are. */
export function fitCurve(judged: readonly Judged[]): ScoreCurve {
  const sorted = judged.toSorted((a, b) => a.logOdds - b.logOdds);
  const bad = sorted.filter(({ isBad }) => isBad).length;
  const badWeight = bad === 0 ? 0 : sorted.length / (2 * bad);
  const goodWeight = bad === sorted.length ? 0 : sorted.length / (2 * (sorted.length - bad));
  const size = Math.max(stretchMin, Math.ceil(sorted.length / stretchesMax));
  const merged: { logOdds: number; bad: number; all: number; names: number }[] = [];
  for (let from = 0; from < sorted.length; from += size) {
    const stretch = { logOdds: 0, bad: 0, all: 0, names: 0 };
    for (const { logOdds, isBad } of sorted.slice(from, from + size)) {
      stretch.logOdds += logOdds;
      stretch.names += 1;
      stretch.bad += isBad ? badWeight : 0;
      stretch.all += isBad ? badWeight : goodWeight;
    }
    merged.push(stretch);
    mergeFalling(merged);
  }
  return {
    logOdds: Float32Array.from(merged, ({ logOdds, names }) => logOdds / names),
    shares: Float32Array.from(merged, ({ bad: sum, all }) => sum / all),
  };
}

function mergeFalling(stretches: { logOdds: number; bad: number; all: number; names: number }[]): void {
  for (let last = stretches.length - 1; last > 0; last -= 1) {
    const [before, after] = [stretches[last - 1], stretches[last]];
    if (!before || !after || before.bad * after.all < after.bad * before.all) return;
    before.logOdds += after.logOdds;
    before.names += after.names;
    before.bad += after.bad;
    before.all += after.all;
    stretches.pop();
  }
}
