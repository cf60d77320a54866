/** A search hash opens the search that it stands for, under the address of that search. */
import { Navigate, useParams } from '@tanstack/react-router';
import { useHashedSearch } from '../../data/search.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { searchWords } from '../../words/search.ts';
import { addressOfQuery } from './search-address.ts';

export function OpenSearchHash() {
  const { hash } = useParams({ from: '/app/search/h/$hash' });
  const search = useHashedSearch(hash);
  useTitle(searchWords.title);
  if (search.data) return <Navigate to="/search" search={addressOfQuery(search.data)} replace />;
  if (search.isError)
    return (
      <div className="page-body">
        <h1>{searchWords.title}</h1>
        <Failure error={search.error} what={searchWords.openHash} retry={() => void search.refetch()} />
      </div>
    );
  return <Skeletons count={12} label={searchWords.openHash} />;
}
