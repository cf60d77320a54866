/** A search: its pages, its count before anything is fetched, and its facets. */

import { type NarrowingNeeds, narrow } from '../../../product/investigate/narrowing.ts';
import { PositionCodec } from '../../../product/investigate/position.ts';
import { prepareSearch } from '../../../product/investigate/prepare-search.ts';
import { queryTextOf } from '../../../product/investigate/query-text.ts';
import { partsOfColumns, resultRows } from '../../../product/investigate/results/result-rows.ts';
import { findPage, type Search, type SearchNeeds } from '../../../product/investigate/search.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { type ChargedSearches, type ChargedSearchNeeds, searchProduct } from './charged-searches.ts';
import { readSearch, searchContext, webSearch, withQueryNamed } from './read-search.ts';
import { type LimitNeeds, limitsNow } from './search-limits.ts';
import { facetOnWire, readColumns, rowOnWire } from './search-rows.ts';
import { SearchAnswer, SearchOptions } from './search-wire.ts';

export interface SearchOperationNeeds extends NarrowingNeeds, LimitNeeds, ChargedSearchNeeds {
  readonly domains: NarrowingNeeds['domains'] & SearchNeeds['domains'] & Pick<DomainStore, 'tagsOf'>;
  readonly settings: ChargedSearchNeeds['settings'];
  readonly usage: LimitNeeds['usage'];
  readonly linkKey: Buffer;
}

export function searchOperation(needs: SearchOperationNeeds, charged: ChargedSearches): WebOperation {
  const positions = new PositionCodec(needs.linkKey);
  return defineWebOperation({
    method: 'GET',
    path: '/search',
    access: 'read',
    product: searchProduct,
    summary: 'A page of search results, or how to narrow a search that matches too many domains',
    query: SearchOptions,
    answer: SearchAnswer,
    handle: async ({ query, request, caller, nowMs }) => {
      const columns = readColumns(query.columns);
      const text = readSearch(request, SearchOptions, needs.linkKey);
      const pageOptions = {
        sortBy: query.sort_by,
        sortDirection: query.sort_direction,
        position: query.position,
        pageSize: query.limit,
        parts: partsOfColumns(columns),
      };
      const context = searchContext(caller, nowMs, needs.settings);
      const search = withQueryNamed(() => prepareSearch(text, pageOptions, context, { ...needs, positions }));
      const order = `${search.order.by} ${search.order.descending} ${search.pageSize}`;
      await charged.chargePage(
        caller,
        webSearch(text, search.condition, caller),
        { order, isFirst: query.position === undefined },
        nowMs,
      );
      const page = await findPage(search, { ...needs, positions }, nowMs);
      if (page === 'too-many') return tooMany(search, caller, needs, nowMs);
      const rows = await resultRows(page.records, columns, tagReader(caller, nowMs), needs.domains);
      return {
        too_many: false as const,
        domains: rows.map(rowOnWire),
        total: page.total,
        has_more: page.next !== undefined,
        position: page.next ? positions.encode(search.owner, page.next) : null,
        missing: [...page.missing],
        ql: queryTextOf(text),
        limits: await limitsNow(caller, needs, nowMs),
      };
    },
  });
}

async function tooMany(
  { condition, text }: Search,
  caller: WebCaller,
  needs: SearchOperationNeeds,
  nowMs: number,
) {
  const { total, facets } = await narrow(condition, caller.person.preferences.guidedPivotThreshold, needs);
  return {
    too_many: true as const,
    total,
    matches_max: needs.settings.limits.investigate.matchesMax,
    facets_to_narrow: facets.map(({ attribute, values }) => facetOnWire(attribute, values)),
    ql: queryTextOf(text),
    limits: await limitsNow(caller, needs, nowMs),
  };
}
