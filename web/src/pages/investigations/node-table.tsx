/** The domains that a search of the investigation finds now. */
import { type SearchPage, useSearchResult } from '../../data/search.ts';
import { Empty, Failure, Skeletons } from '../../parts/region.tsx';
import type { SearchQuery } from '../../query/search-query.ts';
import { searchWords as words } from '../../words/search.ts';
import { Missing, Results } from '../search/results.tsx';
import type { SearchState } from '../search/search-address.ts';
import { TooMany } from '../search/too-many.tsx';

interface NodeTableProps {
  readonly query: SearchQuery;
  readonly sort: SearchState['sort'];
  readonly setSort: (sort: SearchState['sort']) => void;
  readonly selected: ReadonlySet<string>;
  readonly select: (names: ReadonlySet<string>) => void;
}

export function NodeTable({ query, sort, setSort, selected, select }: NodeTableProps) {
  const result = useSearchResult(query, { sort });
  const pages = result.data?.pages ?? [];
  const last = pages.at(-1);
  if (result.isPending) return <Skeletons count={10} label={words.loading} />;
  if (result.isError)
    return <Failure error={result.error} what={words.thing} retry={() => void result.refetch()} />;
  if (!last) return null;
  if (last.too_many) return <TooMany answer={last} />;
  if (last.total === 0)
    return (
      <Empty title={words.none}>
        <Missing names={last.missing} />
      </Empty>
    );
  return (
    <Results
      pages={pages.filter((page): page is SearchPage => !page.too_many)}
      state={{ query, ...(sort && { sort }) }}
      setSort={setSort}
      selected={selected}
      select={select}
      next={result.hasNextPage ? () => void result.fetchNextPage() : undefined}
      isLoadingNext={result.isFetchingNextPage}
      handle={null}
    />
  );
}
