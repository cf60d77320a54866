/** Counts the domains of a search when it is saved. */
import type { SearchCount, SearchQuery } from '../../../model/investigation/investigation.ts';
import { Problem } from '../../../model/problem.ts';
import { dependsOnUser } from '../../../model/record/condition.ts';
import { type CountNeeds, countSearch } from '../../../product/investigations/count-search.ts';
import type { ChargedSearches } from '../search/charged-searches.ts';
import { type Asker, type QueryNeeds, readQuery } from './query-search.ts';

export interface CountQueryNeeds extends CountNeeds, QueryNeeds {
  readonly charged: ChargedSearches;
}

/**
 * Undefined where the limits of Investigate are used up, since that must not keep anybody from saving, and for what only this person would
 * find, by tags of their own.
 */
export async function countQuery(
  query: SearchQuery,
  asker: Asker,
  needs: CountQueryNeeds,
): Promise<SearchCount | undefined> {
  const search = readQuery(query, asker, needs);
  if (dependsOnUser(search.condition)) return undefined;
  const { caller, nowMs } = asker;
  try {
    await needs.charged.chargeView(caller, search, nowMs);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
  return countSearch(search.condition, needs, nowMs);
}

/** The account has no more requests to Investigate, or none at all. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Problem && ['limit-exceeded', 'not-provisioned', 'quota-expired'].includes(error.code)
  );
}
