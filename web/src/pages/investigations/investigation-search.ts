/** The state of an investigation's page in its address. */
import { oneOf, oneText, severalTexts } from '../../data/address.ts';
import {
  directions,
  type SearchSort,
  type SortDirection,
  sorts,
  usualDirection,
} from '../search/search-address.ts';

export const investigationTabs = ['table', 'graph', 'findings'] as const;
export type InvestigationTab = (typeof investigationTabs)[number];

/** Defaults are absent, so that one view has one address. */
export interface InvestigationSearch {
  /** The current search of the tree. */
  readonly node?: string;
  /** Absent: the table. */
  readonly tab?: Exclude<InvestigationTab, 'table'>;
  /** Further searches in the graph. */
  readonly with?: readonly string[];
  /** Values of CDNs, parking services and such that very many share are in the graph. */
  readonly common?: true;
  /** The layout of the graph stays as it is. */
  readonly lock?: true;
  readonly sort_by?: SearchSort;
  readonly sort_direction?: SortDirection;
}

const idForm = /^[A-Za-z0-9]{1,40}$/;

/** What is not understood is left out. */
export function investigationSearch(raw: Readonly<Record<string, unknown>>): InvestigationSearch {
  const node = oneText(raw['node']);
  const tab = oneOf(raw['tab'], ['graph', 'findings'] as const);
  const others = severalTexts(raw['with'])?.filter((id) => idForm.test(id)) ?? [];
  const by = oneOf(raw['sort_by'], sorts);
  const direction = oneOf(raw['sort_direction'], directions);
  return {
    ...(node !== undefined && idForm.test(node) && { node }),
    ...(tab && { tab }),
    ...(others.length > 0 && { with: [...new Set(others)] }),
    ...(isOn(raw['common']) && { common: true as const }),
    ...(isOn(raw['lock']) && { lock: true as const }),
    ...(by && { sort_by: by }),
    ...(by && direction && direction !== usualDirection(by) && { sort_direction: direction }),
  };
}

const isOn = (value: unknown): boolean => value === true || oneText(value) === '1';

type Sort = { readonly by: SearchSort; readonly direction: SortDirection } | undefined;

/** How the table is sorted. */
export const sortIn = ({ sort_by: by, sort_direction: direction }: InvestigationSearch): Sort =>
  by && { by, direction: direction ?? usualDirection(by) };

export function withSort(search: InvestigationSearch, sort: Sort): InvestigationSearch {
  const { sort_by: _by, sort_direction: _direction, ...rest } = search;
  if (!sort) return rest;
  const { by, direction } = sort;
  return { ...rest, sort_by: by, ...(direction !== usualDirection(by) && { sort_direction: direction }) };
}
