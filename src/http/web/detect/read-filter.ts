/** The filter of a request as that of the store. */
import { fieldProblem } from '../../../model/problem.ts';
import { type FilterNeeds, filterAsStored } from '../../../product/detect/lists/triage-filter.ts';
import type { TriageFilter as StoreFilter } from '../../../store/triage-store.ts';
import { definedMembers } from '../../platform/detect/detect-parameters.ts';
import type { TriageFilter } from './filter-wire.ts';

const none = 'none';

export async function readFilter(filter: TriageFilter, needs: FilterNeeds): Promise<StoreFilter> {
  const { list, risk, mx, resolved, assignee } = filter;
  const written = definedMembers({
    monitorIds: filter.monitor,
    classes: filter.class,
    tlds: filter.tld,
    riskRanges: risk?.filter((range) => range !== none).map(readRange),
    isUnscored: risk?.includes(none),
    mxExists: mx && mx === 'yes',
    resolvedByUs: resolved && resolved === 'yes',
    search: filter.q,
    registrars: filter.registrar,
    nameServers: filter.name_server,
    addresses: filter.ip,
    countries: filter.country,
    pictures: filter.picture,
    assignees: assignee?.filter((name) => name !== none),
    isUnassigned: assignee?.includes(none),
    ids: filter.ids,
    arrivedSinceMs: filter.since === undefined ? undefined : readTime('since', filter.since),
  });
  return filterAsStored({ list, ...written }, 'picture', needs);
}

export function readTime(field: string, text: string): number {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isWhole ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw fieldProblem('invalid-parameters', field, 'must be a time such as 2026-03-04T10:00:00Z');
  return ms;
}

function readRange(text: string): readonly [from: number, to: number] {
  const [, from, to] = /^(\d{1,3})-(\d{1,3})$/.exec(text) ?? [];
  if (from === undefined || to === undefined)
    throw fieldProblem('invalid-parameters', 'risk', 'must be a range of scores such as 70-100, or none');
  return [Number(from), Number(to)];
}
