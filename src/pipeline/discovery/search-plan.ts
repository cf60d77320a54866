/** Combines monitors into one search plan. Monitors with the same term share it. */
import type { SearchPlan } from '../../model/detect/name-search.ts';
import type { Term } from '../../model/lookalike/match.ts';
import type { ActiveMonitor } from '../../store/monitor-store.ts';

export function searchPlan(
  monitors: readonly ActiveMonitor[],
  ownDomains: ReadonlyMap<string, readonly string[]>,
): SearchPlan {
  const terms: Term[] = [];
  const indexes = new Map<string, number>();
  const targets = monitors.map(({ accountId, monitor }) => {
    const {
      id: monitorId,
      term: text,
      matchSubstringVariations: substringVariations,
      textExclusions,
    } = monitor;
    const key = `${substringVariations} ${text}`;
    const term = indexes.get(key) ?? terms.push({ text, substringVariations }) - 1;
    indexes.set(key, term);
    return { accountId, monitorId, term, textExclusions };
  });
  return { terms, targets, ownDomains };
}
