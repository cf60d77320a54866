/** The address of Search as state: another search adds an entry to the history, another view of it replaces the one before. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchQuery } from '../../query/search-query.ts';
import { addressOf, type SearchState, stateOf } from './search-address.ts';

export function useSearchState() {
  const raw = useSearch({ from: '/app/search' });
  const navigate = useNavigate();
  const text = JSON.stringify(raw);
  const state = useMemo(() => stateOf(JSON.parse(text) as Record<string, unknown>), [text]);
  const queryText = JSON.stringify(state.query);
  const query = useMemo(
    () => (queryText === undefined ? undefined : (JSON.parse(queryText) as SearchQuery)),
    [queryText],
  );
  const change = useCallback(
    (next: (before: SearchState) => SearchState, push: boolean) =>
      void navigate({
        to: '/search',
        search: (before: Readonly<Record<string, unknown>>) => addressOf(next(stateOf(before))),
        replace: !push,
      }),
    [navigate],
  );
  const view = useCallback(
    (changes: { readonly [Key in keyof SearchState]?: SearchState[Key] | undefined }) =>
      change((before) => ({ ...before, ...changes }) as SearchState, false),
    [change],
  );
  const setQuery = useCallback(
    (to: SearchQuery | undefined) =>
      change(({ query: _query, pages: _pages, ...rest }) => (to ? { ...rest, query: to } : rest), true),
    [change],
  );
  return { state, query, view, setQuery };
}
