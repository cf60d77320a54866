/** What a search has found: domains, too many of them, none, or not yet. */
import { type Ref, useCallback, useEffect, useMemo } from 'react';
import { ServerError } from '../../data/request.ts';
import { type SearchPage, type TooMany as TooManyAnswer, type useSearchResult } from '../../data/search.ts';
import type { DataGridHandle } from '../../parts/data-grid.tsx';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import { searchWords as words } from '../../words/search.ts';
import { Missing, Results } from './results.tsx';
import type { SearchState } from './search-address.ts';
import { TooMany } from './too-many.tsx';
import type { useSearchState } from './use-search-state.ts';

type Answer = SearchPage | TooManyAnswer;

/** What the server refuses is said where it was typed. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ServerError && (error.status === 422 || error.status === 400);

/** An address may say that several pages were loaded. */
export function usePages({ pages = 1 }: SearchState, result: ReturnType<typeof useSearchResult>): void {
  const loaded = result.data?.pages.length ?? 0;
  const { hasNextPage, isFetching, isError, fetchNextPage } = result;
  useEffect(() => {
    if (loaded > 0 && loaded < pages && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [loaded, pages, hasNextPage, isFetching, isError, fetchNextPage]);
}

interface FoundProps extends Pick<ReturnType<typeof useSearchState>, 'state' | 'view'> {
  readonly result: ReturnType<typeof useSearchResult>;
  readonly answer: Answer | undefined;
  readonly selected: ReadonlySet<string>;
  readonly select: (names: ReadonlySet<string>) => void;
  readonly grid: Ref<DataGridHandle>;
}

export function Found({ result, answer, state, view, selected, select, grid }: FoundProps) {
  const pages = useMemo(
    () => (result.data?.pages ?? []).flatMap((page) => (page.too_many ? [] : [page])),
    [result.data],
  );
  const setSort = useCallback((sort: SearchState['sort']) => view({ sort, pages: undefined }), [view]);
  if (!answer) {
    if (isRefused(result.error)) return null;
    if (result.isError)
      return <Failure error={result.error} what={words.thing} retry={() => void result.refetch()} />;
    return <Skeletons count={14} label={words.loading} />;
  }
  if (answer.too_many) return <TooMany answer={answer} />;
  return (
    <>
      <Missing names={answer.missing} />
      {answer.total === 0 ? (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
        </Empty>
      ) : (
        <Results
          pages={pages}
          state={state}
          setSort={setSort}
          selected={selected}
          select={select}
          next={result.hasNextPage ? () => view({ pages: pages.length + 1 }) : undefined}
          isLoadingNext={result.isFetchingNextPage}
          handle={grid}
        />
      )}
      {result.isError && (
        <Failure error={result.error} what={words.thing} retry={() => void result.fetchNextPage()} />
      )}
    </>
  );
}
