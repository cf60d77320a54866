/** How many domains a search matches, and how risky they are. */
import type { SearchCount } from '../../model/investigation/investigation.ts';
import type { Condition } from '../../model/record/condition.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface CountNeeds {
  readonly domains: Pick<DomainStore, 'search' | 'countMatches' | 'sampleMatches' | 'averageRiskOf'>;
  readonly settings: Pick<Settings, 'limits'>;
}

/** Of more matches than a search returns the average risk is estimated from this many. */
const sampled = 2000;

export async function countSearch(
  condition: Condition,
  { domains, settings }: CountNeeds,
  nowMs: number,
): Promise<SearchCount> {
  const { matchesMax } = settings.limits.investigate;
  const matches = await domains.search(condition, { by: 'risk_score', descending: true }, matchesMax);
  if (matches.total !== 'too-many')
    return { domains: matches.total, averageRisk: await domains.averageRiskOf(matches.ids), atMs: nowMs };
  const averageRisk = await domains.averageRiskOf(await domains.sampleMatches(condition, sampled));
  return { domains: await domains.countMatches(condition), averageRisk, atMs: nowMs };
}
