/** Which monitors are listed, and whether their domains are counted. */
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import type { MonitorQuery, MonitorSort } from '../../store/watchlist-store.ts';
import { getLimit } from './page-limit.ts';

export const monitorSorts = [
  'term',
  'created_date',
  'domain_counts_changed',
  'domain_counts_discovered',
] as const satisfies readonly MonitorSort[];

/** As it was asked: what is undefined was left out. */
export interface MonitorsAsked {
  readonly sort: readonly MonitorSort[] | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly withCounts: boolean | undefined;
  readonly countsSinceMs: number | undefined;
}

/** A sort by counts shows them, whether they were asked for or not. */
export function getMonitorQuery(asked: MonitorsAsked, { limits }: Pick<Settings, 'limits'>): MonitorQuery {
  const { order = 'desc', offset = 0, withCounts = false, countsSinceMs } = asked;
  const sort = asked.sort?.length ? asked.sort : (['term'] as const);
  if (withCounts && countsSinceMs === undefined)
    throw fieldProblem('invalid-parameters', 'datetime_counts_since', 'is required with include_counts');
  const { monitorsLimitMax, monitorsLimitWithCountsMax } = limits.detect;
  const limit = getLimit(asked.limit, withCounts ? monitorsLimitWithCountsMax : monitorsLimitMax);
  const counts = withCounts || sort.some((by) => by.startsWith('domain_counts_'));
  return {
    sort,
    descending: order === 'desc',
    offset,
    limit,
    ...(counts && countsSinceMs !== undefined ? { countsSinceMs } : {}),
  };
}
