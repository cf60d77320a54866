/** Which runs to merge. */
import type { RunSummary } from './run-files.ts';

/**
 * Runs of like size, the smallest such group: each run is at most twice all smaller ones of the group together. Merging
 * these keeps the number of runs logarithmic and rewrites an entry a logarithmic number of times. Undefined when no group
 * is large enough.
 */
export function chooseRuns(runs: readonly RunSummary[], groupMin: number): readonly RunSummary[] | undefined {
  const rising = runs.toSorted((left, right) => left.rrsets - right.rrsets);
  for (let from = 0; from + groupMin <= rising.length; from += 1) {
    let to = from;
    let smaller = 0;
    for (; to < rising.length; to += 1) {
      const { rrsets } = rising[to] as RunSummary;
      if (to > from && rrsets > 2 * smaller) break;
      smaller += rrsets;
    }
    if (to - from >= groupMin) return rising.slice(from, to);
  }
  return undefined;
}
