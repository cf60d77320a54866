/** Validates the parameters of a monitor list. */
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { MonitorQuery, MonitorSort } from '../../store/monitor-store.ts';
import { getLimit } from './page-limit.ts';

export const monitorSorts = [
  'term',
  'created_date',
  'domain_counts_changed',
  'domain_counts_discovered',
] as const satisfies readonly MonitorSort[];

/** As in the request; undefined where omitted. */
export interface MonitorListParameters {
  readonly sort: readonly MonitorSort[] | undefined;
  readonly order: 'asc' | 'desc' | undefined;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly withCounts: boolean | undefined;
  readonly countsSinceMs: number | undefined;
}

/** Sorting by counts implies showing them. */
export function getMonitorQuery(
  parameters: MonitorListParameters,
  { limits }: Pick<Settings, 'limits'>,
): MonitorQuery {
  const { order = 'desc', offset = 0, withCounts = false, countsSinceMs } = parameters;
  const sort = parameters.sort?.length ? parameters.sort : (['term'] as const);
  if (withCounts && countsSinceMs === undefined)
    throw fieldProblem('invalid-parameters', 'datetime_counts_since', 'is required with include_counts');
  const { monitorsLimitMax, monitorsLimitWithCountsMax } = limits.detect;
  const limit = getLimit(parameters.limit, withCounts ? monitorsLimitWithCountsMax : monitorsLimitMax);
  const counts = withCounts || sort.some((by) => by.startsWith('domain_counts_'));
  return {
    sort,
    descending: order === 'desc',
    offset,
    limit,
    ...(counts && countsSinceMs !== undefined ? { countsSinceMs } : {}),
  };
}
