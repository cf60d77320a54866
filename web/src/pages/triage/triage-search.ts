/** Everything that Triage shows is in its address: list, filters, order, view, current domain, card, drawer. */
import type { TriageFilter, TriageList, TriageSort } from '../../../../src/http/web/detect/filter-wire.ts';
import { definedOnly, oneOf, oneText, severalTexts } from '../../data/address.ts';

export const lists: readonly TriageList[] = ['new', 'changed', 'watched', 'ignored', 'blocked'];
export const sorts: readonly TriageSort[] = ['risk', 'newest', 'name', 'changed'];

/** Filters that hold any of several values. */
export const valueFilters = [
  'monitor',
  'class',
  'tld',
  'risk',
  'registrar',
  'name_server',
  'ip',
  'country',
  'picture',
  'assignee',
] as const;
export type ValueFilter = (typeof valueFilters)[number];

/** Defaults are absent, so that one view has one address. */
export type TriageSearch = {
  readonly [Filter in ValueFilter]?: readonly string[];
} & {
  readonly s?: Exclude<TriageList, 'new'>;
  readonly mx?: 'yes' | 'no';
  readonly resolved?: 'yes' | 'no';
  readonly q?: string;
  readonly since?: string;
  readonly sort?: TriageSort;
  readonly view?: 'wall';
  readonly group?: 'cluster';
  readonly at?: string;
  readonly card?: true;
  readonly facets?: true;
};

export const defaultSort = (list: TriageList): TriageSort => {
  if (list === 'new') return 'risk';
  return list === 'changed' ? 'changed' : 'newest';
};

/** What is not understood is left out: an address from elsewhere never breaks the page. */
export function triageSearch(raw: Readonly<Record<string, unknown>>): TriageSearch {
  const s = oneOf(raw['s'], lists);
  const sort = oneOf(raw['sort'], sorts);
  return definedOnly({
    s: s === 'new' ? undefined : s,
    ...Object.fromEntries(valueFilters.map((filter) => [filter, severalTexts(raw[filter])])),
    mx: oneOf(raw['mx'], ['yes', 'no'] as const),
    resolved: oneOf(raw['resolved'], ['yes', 'no'] as const),
    q: oneText(raw['q']),
    since: oneText(raw['since']),
    sort: sort === defaultSort(s ?? 'new') ? undefined : sort,
    view: oneOf(raw['view'], ['wall'] as const),
    group: oneOf(raw['group'], ['cluster'] as const),
    at: oneText(raw['at']),
    card: isSet(raw['card']),
    facets: isSet(raw['facets']),
  });
}

const isSet = (value: unknown): true | undefined =>
  value === true || oneText(value) === '1' ? true : undefined;

export const listOf = (search: TriageSearch): TriageList => search.s ?? 'new';
export const sortOf = (search: TriageSearch): TriageSort => search.sort ?? defaultSort(listOf(search));

/** The part that decides which domains are listed. */
export function filterOf(search: TriageSearch): TriageFilter {
  const { s: _list, sort: _sort, view: _view, group: _group, ...more } = search;
  const { at: _at, card: _card, facets: _facets, ...conditions } = more;
  return { list: listOf(search), ...conditions } as TriageFilter;
}

export function hasFilter(search: TriageSearch): boolean {
  return Object.keys(filterOf(search)).length > 1;
}

/** The same list without a condition. */
export function withoutFilters(search: TriageSearch): TriageSearch {
  return definedOnly({
    s: search.s,
    sort: search.sort,
    view: search.view,
    group: search.group,
    card: search.card,
    facets: search.facets,
  });
}

/** Adds the value, or removes it where it is set already. */
export function toggleValue(search: TriageSearch, filter: ValueFilter, value: string): TriageSearch {
  const now = search[filter] ?? [];
  const next = now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
  const { [filter]: _before, at: _at, ...rest } = search;
  return next.length === 0 ? rest : { ...rest, [filter]: next };
}
