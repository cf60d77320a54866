/** The address of Triage as state: filters replace the entry of the history, opening a card adds one. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { filterOf, type TriageSearch, triageSearch } from './triage-search.ts';

export type ChangeSearch = (
  change: (before: TriageSearch) => TriageSearch,
  options?: { readonly push?: boolean },
) => void;

const cursorAfterMs = 500;

export function useAddress() {
  // The router adds what the address has besides: it is no part of the state.
  const raw = useSearch({ from: '/app/triage' });
  const search = useMemo(() => triageSearch(raw), [raw]);
  const navigate = useNavigate();
  const change = useCallback<ChangeSearch>(
    (next, { push = false } = {}) => {
      void navigate({ to: '/triage', search: (before) => next(triageSearch(before)), replace: !push });
    },
    [navigate],
  );
  const filterText = JSON.stringify(filterOf(search));
  const filter = useMemo(() => filterOf(search), [filterText]);
  return { search, change, filter, filterText };
}

/** Browsers limit how often an address may change, and a key may be held down: the cursor is written when it rests. */
export function useCursorInAddress(id: string | undefined, search: TriageSearch, change: ChangeSearch): void {
  const newest = useRef(search.at);
  newest.current = search.at;
  useEffect(() => {
    if (id === undefined || newest.current === id) return undefined;
    const timer = setTimeout(() => {
      // Another page may be on its way already.
      if (location.pathname.endsWith('/triage')) change((before) => ({ ...before, at: id }));
    }, cursorAfterMs);
    return () => clearTimeout(timer);
  }, [id, change]);
}
