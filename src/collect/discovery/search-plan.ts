/** What all these monitors look for, as one search. */
import type { SearchPlan } from '../../model/detect/name-search.ts';
import type { Term } from '../../model/lookalike/match.ts';
import type { ActiveMonitor } from '../../store/watchlist-store.ts';

export function searchPlan(
  monitors: readonly ActiveMonitor[],
  ownDomains: ReadonlyMap<string, readonly string[]>,
): SearchPlan {
  const terms: Term[] = [];
  const places = new Map<string, number>();
  const wanted = monitors.map(({ accountId, monitor }) => {
    const {
      id: monitorId,
      term: text,
      matchSubstringVariations: substringVariations,
      textExclusions,
    } = monitor;
    const key = `${substringVariations} ${text}`;
    const term = places.get(key) ?? terms.push({ text, substringVariations }) - 1;
    places.set(key, term);
    return { accountId, monitorId, term, textExclusions };
  });
  return { terms, wanted, ownDomains };
}
