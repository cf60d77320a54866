/** Search and pivots: chips or a query, facets, and the domains that match. */
import '../../styles/search.css';
import { Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { type SearchLimits, useSearchResult } from '../../data/search.ts';
import { spelledOut } from '../../data/unseen.ts';
import type { DataGridHandle } from '../../parts/data-grid.tsx';
import { useMedia } from '../../parts/use-media.ts';
import { useTitle } from '../../parts/use-title.ts';
import { SearchContext } from '../../query/search-context.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import { searchWords as words } from '../../words/search.ts';
import { FacetDrawer, toggleFacets } from './facet-drawer.tsx';
import { Found, isRefused, usePages } from './found.tsx';
import { QueryBar } from './query-bar.tsx';
import { useRecentSearches } from './recent-searches.ts';
import { SearchHead } from './search-head.tsx';
import { SearchStart } from './search-start.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSearchKeys } from './use-search-keys.ts';
import { useSearchState } from './use-search-state.ts';

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));
const AddToInvestigation = lazy(async () => ({
  default: (await import('../investigations/add-dialog.tsx')).AddToInvestigation,
}));

export type SearchDialog = 'export' | 'save' | undefined;

export function SearchPage() {
  const { state, query, view, setQuery } = useSearchState();
  const hash = query && 'parameters' in query ? query.parameters['search_hash']?.[0] : undefined;
  if (hash !== undefined) return <Navigate to="/search/h/$hash" params={{ hash }} replace />;
  return <SearchDesk key="search" state={state} query={query} view={view} setQuery={setQuery} />;
}

type SearchDeskProps = ReturnType<typeof useSearchState>;

function SearchDesk({ state, query, view, setQuery }: SearchDeskProps) {
  const entry = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const drawer = useRef<HTMLElement>(null);
  const grid = useRef<DataGridHandle>(null);
  const [dialog, setDialog] = useState<SearchDialog>();
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const result = useSearchResult(query, { sort: state.sort, columns: state.columns });
  const answer = result.data?.pages.at(-1);
  const hasRoom = useMedia('(min-width: 1100px)');
  const showsFacets = query !== undefined && (state.facets ?? (hasRoom ? 'open' : 'closed')) === 'open';
  const context = useMemo(() => ({ query, change: setQuery }), [query, setQuery]);
  useTitle(answer ? `${words.title} (${answer.total})` : words.title);
  useRemembered(query, answer !== undefined);
  usePages(state, result);
  useEffect(() => select(new Set()), [query]);
  const setFacets = (isOpen: boolean) => view({ facets: isOpen ? 'open' : 'closed' });
  useSearchKeys({
    query,
    edit: () => (entry.current ?? textField.current)?.focus(),
    toggleFacets: () => toggleFacets(showsFacets, drawer.current, setFacets),
    toTable: () => grid.current?.focus(),
    open: setDialog,
  });
  return (
    <SearchContext value={context}>
      <div className="search-page">
        <SearchHead
          state={state}
          query={query}
          total={answer?.total}
          view={view}
          showsFacets={showsFacets}
          setFacets={setFacets}
          open={setDialog}
        />
        <QueryBar
          query={query}
          setQuery={setQuery}
          isText={state.text ?? false}
          showText={() => view({ text: true })}
          showChips={(chosen) => view({ query: chosen, text: undefined })}
          entry={entry}
          textField={textField}
          error={result.error}
        />
        {!query && <SearchStart />}
        {query && (
          <div className={showsFacets ? 'search-main with-facets' : 'search-main'}>
            {showsFacets && !isRefused(result.error) && (
              <FacetDrawer query={query} close={() => setFacets(false)} element={drawer} />
            )}
            <section className="search-results" aria-label={words.result}>
              <Found
                result={result}
                answer={answer}
                state={state}
                view={view}
                selected={selected}
                select={select}
                grid={grid}
              />
              {selected.size > 0 && <SelectionBar names={[...selected]} clear={() => select(new Set())} />}
            </section>
          </div>
        )}
        {answer && <Limits limits={answer.limits} />}
      </div>
      <Suspense>
        {dialog === 'export' && query && <ExportDialog query={query} close={() => setDialog(undefined)} />}
        {dialog === 'save' && query && (
          <AddToInvestigation add={{ query }} close={() => setDialog(undefined)} />
        )}
      </Suspense>
    </SearchContext>
  );
}

function useRemembered(query: SearchQuery | undefined, isFound: boolean): void {
  const { remember } = useRecentSearches();
  const text = JSON.stringify(query);
  useEffect(() => {
    if (isFound && text !== undefined) remember(JSON.parse(text) as SearchQuery);
  }, [text, isFound]);
}

function Limits({ limits }: { limits: SearchLimits }) {
  if (limits === null) return null;
  const { used, limit, window } = limits;
  return (
    <footer className="search-limits" title={words.limitsTitle}>
      {words.limits(used, limit, spelledOut(window))}
    </footer>
  );
}
