/** The search that is open, for everything on the page that can narrow it. Elsewhere there is none. */
import { createContext, useContext } from 'react';
import type { SearchQuery } from './search-query.ts';

export interface OpenSearch {
  readonly query: SearchQuery | undefined;
  readonly change: (query: SearchQuery | undefined) => void;
}

export const SearchContext = createContext<OpenSearch | undefined>(undefined);

export const useOpenSearch = (): OpenSearch | undefined => useContext(SearchContext);
