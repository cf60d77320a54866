/** Which runs to merge. */
import type { ListedRun } from './run-files.ts';

/**
 * Runs of like size, the smallest such group: each run is at most twice all smaller ones of the group together. Merging
 * these keeps the number of runs logarithmic and rewrites an entry a logarithmic number of times. Undefined when no group
 * is large enough.
 *
 * Untold runs are left as they are, and a group has none between its members: what was known before an untold run must not
 * take a later place.
 */
export function chooseRuns(runs: readonly ListedRun[], groupMin: number): readonly ListedRun[] | undefined {
  let between: ListedRun[] = [];
  for (const run of runs.toSorted((left, right) => left.sequence - right.sequence)) {
    if (run.told) {
      between.push(run);
      continue;
    }
    const group = chooseAmong(between, groupMin);
    if (group) return group;
    between = [];
  }
  return chooseAmong(between, groupMin);
}

function chooseAmong(runs: readonly ListedRun[], groupMin: number): readonly ListedRun[] | undefined {
  const rising = runs.toSorted((left, right) => left.rrsets - right.rrsets);
  for (let from = 0; from + groupMin <= rising.length; from += 1) {
    let to = from;
    let smaller = 0;
    for (; to < rising.length; to += 1) {
      const { rrsets } = rising[to] as ListedRun;
      if (to > from && rrsets > 2 * smaller) break;
      smaller += rrsets;
    }
    if (to - from >= groupMin) return rising.slice(from, to);
  }
  return undefined;
}
