/** Search hashes: a search as one text for the API, and back. Neither counts against a limit. */
import { Type } from 'typebox';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { queryTextOf } from '../../../product/investigate/query-text.ts';
import { getHashedSearch, searchHash } from '../../../product/investigate/search-hash.ts';
import { conditionOfSearch } from '../../../product/investigate/search-text.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { searchProduct } from './charged-searches.ts';
import { queryOfSearch, searchContext, searchOfQuery, withQueryNamed } from './read-search.ts';
import { HashedSearch, SearchHash, SearchHashRequest } from './search-wire.ts';

export interface HashOperationNeeds {
  readonly settings: Pick<Settings, 'limits'>;
  readonly linkKey: Buffer;
}

export function hashOperations({ settings, linkKey }: HashOperationNeeds): readonly WebOperation[] {
  const read = defineWebOperation({
    method: 'GET',
    path: '/search-hash/:hash',
    access: 'read',
    product: searchProduct,
    summary: 'The search of a search hash',
    params: Type.Object({ hash: Type.String({ minLength: 1 }) }),
    answer: HashedSearch,
    handle: async ({ params }) => {
      const search = findHashed(params.hash, linkKey);
      return { query: queryOfSearch(search), ql: queryTextOf(search) };
    },
  });
  const make = defineWebOperation({
    method: 'POST',
    path: '/search-hash',
    access: 'read',
    product: searchProduct,
    summary: 'A search as one text, for search_hash of the API',
    body: SearchHashRequest,
    answer: SearchHash,
    handle: async ({ body, caller, nowMs }) => {
      const search = searchOfQuery(body.query);
      withQueryNamed(() => conditionOfSearch(search, searchContext(caller, nowMs, settings)));
      return { hash: searchHash(search, linkKey) };
    },
  });
  return [read, make];
}

/** An address that holds a hash of another server, or a part of one, leads nowhere. */
function findHashed(hash: string, key: Buffer) {
  try {
    return getHashedSearch(hash, key);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = 'This search hash was not made by this server, or is not complete.';
    throw new Problem('not-found', message, { fields: { hash: ['was not issued by this server'] } });
  }
}
