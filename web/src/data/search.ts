/** What Search and the pages of values read. Searches, facets and counts draw on the limits of Investigate, so answers are kept for a minute. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  SearchCatalogue as CatalogueWire,
  SearchCount as CountWire,
  SearchFacets as FacetsWire,
  HashedSearch,
  SearchPage as PageWire,
  QueryMistake,
  SearchAnswer as SearchAnswerWire,
  SearchCompletions,
  SearchHash,
  SearchQuery,
  TooMany as TooManyWire,
  ValueKind,
  ValuePage as ValueWire,
} from '../../../src/http/web/search/search-wire.ts';
import { requestOf } from '../query/search-query.ts';
import type { Received } from './foreign.ts';
import { plain } from './foreign.ts';
import { request, ServerError } from './request.ts';

export type { QueryMistake, SearchQuery, ValueKind };
export type SearchPage = Received<PageWire>;
export type TooMany = Received<TooManyWire>;
export type SearchRow = SearchPage['domains'][number];
export type SearchCell = SearchRow['cells'][string];
export type SearchLimits = SearchPage['limits'];
export type Facet = Received<FacetsWire>['facets'][number];
export type FacetValue = Facet['values'][number];
/** Written by this server's own tables: names of parameters and columns, and sentences about them. */
export type SearchCatalogue = CatalogueWire;
export type CatalogueParameter = SearchCatalogue['parameters'][number];
export type ValuePage = Received<ValueWire>;

const freshMs = 60_000;
export const resultKey = ['search', 'result'] as const;

export interface ResultOptions {
  readonly sort?: { readonly by: string; readonly direction: string } | undefined;
  readonly columns?: readonly string[] | undefined;
}

export function useSearchResult(query: SearchQuery | undefined, { sort, columns }: ResultOptions) {
  return useInfiniteQuery({
    queryKey: [...resultKey, query, sort, columns],
    queryFn: ({ pageParam, signal }) =>
      request<SearchAnswerWire>('GET', '/search', {
        signal,
        query: {
          ...(query && requestOf(query)),
          position: pageParam,
          columns,
          sort_by: sort?.by,
          sort_direction: sort?.direction,
        },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.too_many || page.position === null ? undefined : plain(page.position)),
    enabled: query !== undefined,
    staleTime: freshMs,
  });
}

/** A dry run: how many match, and the riskiest five of them. */
export function useSearchCount(query: SearchQuery | undefined, enabled = true) {
  return useQuery({
    queryKey: ['search', 'count', query],
    queryFn: ({ signal }) =>
      request<CountWire>('GET', '/search/count', { signal, query: query ? requestOf(query) : {} }),
    enabled: enabled && query !== undefined,
    staleTime: freshMs,
  });
}

/** Several columns are one request. */
export function useSearchFacets(query: SearchQuery | undefined, by: readonly string[], enabled: boolean) {
  return useQuery({
    queryKey: ['search', 'facets', query, by],
    queryFn: ({ signal }) =>
      request<FacetsWire>('GET', '/search/facets', {
        signal,
        query: { ...(query && requestOf(query)), by },
      }),
    enabled: enabled && query !== undefined && by.length > 0,
    staleTime: freshMs,
    placeholderData: keepPreviousData,
  });
}

export function useCatalogue(enabled = true) {
  return useQuery({
    queryKey: ['search', 'catalogue'],
    queryFn: async ({ signal }) =>
      (await request<CatalogueWire>('GET', '/search/parameters', { signal })) as unknown as SearchCatalogue,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const completedFrom = 1;

export function useCompletions(field: string | undefined, text: string) {
  return useQuery({
    queryKey: ['search', 'complete', field, text],
    queryFn: ({ signal }) =>
      request<SearchCompletions>('GET', '/search/complete', { signal, query: { field, text } }),
    enabled: field !== undefined && text.length >= completedFrom,
    staleTime: freshMs,
    placeholderData: keepPreviousData,
  });
}

export async function makeSearchHash(query: SearchQuery): Promise<string> {
  return (await request<SearchHash>('POST', '/search-hash', { body: { query } })).hash;
}

export function useHashedSearch(hash: string) {
  return useQuery({
    queryKey: ['search', 'hash', hash],
    queryFn: async ({ signal }) => {
      const { query } = await request<HashedSearch>('GET', `/search-hash/${encodeURIComponent(hash)}`, {
        signal,
      });
      return query as unknown as SearchQuery;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useValuePage(kind: ValueKind, value: string) {
  return useQuery({
    queryKey: ['value', kind, value],
    queryFn: ({ signal }) =>
      request<ValueWire>('GET', `/values/${kind}/${encodeURIComponent(value)}`, { signal }),
    staleTime: freshMs,
  });
}

/** Where a query has its mistake. */
export function mistakeIn(error: unknown): QueryMistake | undefined {
  if (!(error instanceof ServerError) || error.status !== 422) return undefined;
  const { error: said } = error.body as { readonly error?: Partial<QueryMistake> };
  const { line, column, length } = said ?? {};
  return line === undefined || column === undefined || length === undefined
    ? undefined
    : { line, column, length };
}
