/**
 * Everything that Search shows is in its address: the search under the names that Investigate has, or as a query (`ql`), the order, the columns,
 * how many pages are loaded, whether the facets are open, and whether the query is shown as text.
 */
import { oneOf, oneText, type RawSearch, severalTexts } from '../../data/address.ts';
import type { SearchQuery } from '../../query/search-query.ts';

export const sorts = ['first_seen_since', 'create_date', 'domain', 'risk_score'] as const;
export type SearchSort = (typeof sorts)[number];
export const directions = ['asc', 'dsc'] as const;
export type SortDirection = (typeof directions)[number];

/** Defaults are absent, so that one view has one address. */
export interface SearchState {
  readonly query?: SearchQuery;
  readonly sort?: { readonly by: SearchSort; readonly direction: SortDirection };
  /** In this order; absent: the usual ones. */
  readonly columns?: readonly string[];
  /** Above 1. */
  readonly pages?: number;
  /** Absent: open where there is room. */
  readonly facets?: 'open' | 'closed';
  /** The query is shown as text, also where it could be chips. */
  readonly text?: true;
}

export const pagesMax = 20;

const parameterForm = /^[a-z][a-z0-9_]*(?:[:.][a-z0-9_.]+)?$/;
/** Options of the API that mean nothing here, so that an address of a request can be pasted. */
const optionsOfApi: ReadonlySet<string> = new Set([
  'api_key',
  'api_username',
  'app_name',
  'app_partner',
  'app_version',
  'count_only',
  'format',
  'limit',
  'next',
  'page_size',
  'parsed_domain_rdap',
  'parsed_whois',
  'position',
  'screenshots',
  'signature',
  'timestamp',
]);
const own: ReadonlySet<string> = new Set([
  'ql',
  'sort_by',
  'sort_direction',
  'columns',
  'pages',
  'facets',
  'text',
]);

function queryIn(raw: Readonly<Record<string, unknown>>): SearchQuery | undefined {
  const ql = oneText(raw['ql']);
  if (ql !== undefined) return { ql };
  const entries = Object.entries(raw).flatMap(([name, value]) => {
    if (own.has(name) || optionsOfApi.has(name) || !parameterForm.test(name)) return [];
    const values = severalTexts(value);
    return values ? [[name, [...values]] satisfies [string, string[]]] : [];
  });
  return entries.length === 0 ? undefined : { parameters: Object.fromEntries(entries) };
}

function pagesIn(value: unknown): number | undefined {
  const count = Number(oneText(value) ?? '1');
  return Number.isInteger(count) && count > 1 && count <= pagesMax ? count : undefined;
}

/** What is not understood is left out: an address from elsewhere never breaks the page. */
export function stateOf(raw: Readonly<Record<string, unknown>>): SearchState {
  const query = queryIn(raw);
  const by = oneOf(raw['sort_by'], sorts);
  const columns = severalTexts(raw['columns']);
  const pages = pagesIn(raw['pages']);
  const facets = oneOf(raw['facets'], ['open', 'closed'] as const);
  return {
    ...(query && { query }),
    ...(by && { sort: { by, direction: oneOf(raw['sort_direction'], directions) ?? usualDirection(by) } }),
    ...(columns && { columns }),
    ...(pages && { pages }),
    ...(facets && { facets }),
    ...((raw['text'] === true || oneText(raw['text']) === '1') && { text: true as const }),
  };
}

export const usualDirection = (by: SearchSort): SortDirection =>
  by === 'first_seen_since' || by === 'create_date' ? 'dsc' : 'asc';

export function addressOf({ query, sort, columns, pages, facets, text }: SearchState): RawSearch {
  return {
    ...(query && ('ql' in query ? { ql: query.ql } : query.parameters)),
    ...(sort && { sort_by: sort.by }),
    ...(sort && sort.direction !== usualDirection(sort.by) && { sort_direction: sort.direction }),
    ...(columns && { columns }),
    ...(pages !== undefined && { pages: String(pages) }),
    ...(facets && { facets }),
    ...(text && { text }),
  };
}

/** The address of a search in its usual view. */
export const addressOfQuery = (query: SearchQuery | undefined): RawSearch =>
  addressOf(query ? { query } : {});

/** For the route: every address in its one form. */
export const searchAddress = (raw: Readonly<Record<string, unknown>>): RawSearch => addressOf(stateOf(raw));
