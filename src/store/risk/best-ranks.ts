import type { ListedDomain } from '../risk-store.ts';

/** The rank of each domain, the best of those given for it, in the order of the domains. */
export function bestRanks(domains: readonly ListedDomain[]): ReadonlyMap<string, number | undefined> {
  const best = new Map<string, number | undefined>();
  for (const { domain, rank } of domains.toSorted(byDomain)) {
    const known = best.get(domain);
    best.set(domain, known === undefined || (rank !== undefined && rank < known) ? rank : known);
  }
  return best;
}

function byDomain(one: ListedDomain, other: ListedDomain): number {
  if (one.domain === other.domain) return 0;
  return one.domain < other.domain ? -1 : 1;
}
