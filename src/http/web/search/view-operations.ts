/** What is shown of a search without fetching it: how many match, who they are, and the values that they share. */
import { Type } from 'typebox';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { getFacetAttribute, listFacets } from '../../../product/investigate/facets.ts';
import { queryTextOf } from '../../../product/investigate/query-text.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type ChargedSearches, searchProduct } from './charged-searches.ts';
import { getWebSearch, type WebSearch } from './read-search.ts';
import { limitsNow } from './search-limits.ts';
import type { SearchOperationNeeds } from './search-operation.ts';
import { facetOnWire, oneDecimal } from './search-rows.ts';
import { FacetOptions, SearchCount, SearchFacets } from './search-wire.ts';

export interface ViewOperationNeeds extends SearchOperationNeeds {
  readonly domains: SearchOperationNeeds['domains'] & Pick<DomainStore, 'averageRiskOf'>;
}

const noOptions = Type.Object({});
const namesMax = 5;

export function countOperation(needs: ViewOperationNeeds, charged: ChargedSearches): WebOperation {
  const kept = new KeptAnswers<Omit<SearchCount, 'limits'>>();
  return defineWebOperation({
    method: 'GET',
    path: '/search/count',
    access: 'read',
    product: searchProduct,
    summary: 'How many domains a search matches, and the riskiest of them',
    answer: SearchCount,
    handle: async ({ request, caller, nowMs }) => {
      const search = getWebSearch({ request, caller, nowMs }, noOptions, needs);
      const counted = await kept.get(search.key, nowMs, async () => {
        await charged.chargeView(caller, search, nowMs);
        return countOf(search, needs);
      });
      return { ...counted, limits: await limitsNow(caller, needs, nowMs) };
    },
  });
}

async function countOf(
  { text, condition }: WebSearch,
  { domains, settings }: ViewOperationNeeds,
): Promise<Omit<SearchCount, 'limits'>> {
  const { matchesMax } = settings.limits.investigate;
  const matches = await domains.search(condition, { by: 'risk_score', descending: true }, matchesMax);
  const ql = queryTextOf(text);
  if (matches.total === 'too-many') {
    const total = await domains.countMatches(condition);
    return { total, too_many: true, first_names: [], average_risk: null, ql };
  }
  const records = await domains.getRecords(matches.ids.slice(0, namesMax), []);
  return {
    total: matches.total,
    too_many: false,
    first_names: records.map(({ json }) => (JSON.parse(json) as DomainRecord).domain),
    average_risk: oneDecimal(await domains.averageRiskOf(matches.ids)),
    ql,
  };
}

export function facetsOperation(needs: ViewOperationNeeds, charged: ChargedSearches): WebOperation {
  const kept = new KeptAnswers<Omit<SearchFacets, 'limits'>>();
  return defineWebOperation({
    method: 'GET',
    path: '/search/facets',
    access: 'read',
    product: searchProduct,
    summary: 'The most frequent values among the domains of a search',
    query: FacetOptions,
    answer: SearchFacets,
    handle: async ({ query, request, caller, nowMs }) => {
      const attributes = query.by.map((name) => getFacetAttribute(name, 'by'));
      const { values: limit = 10 } = query;
      const search = getWebSearch({ request, caller, nowMs }, FacetOptions, needs);
      const { condition } = search;
      const threshold = caller.person.preferences.guidedPivotThreshold;
      const key = JSON.stringify([search.key, attributes, limit, threshold]);
      const answer = await kept.get(key, nowMs, async () => {
        await charged.chargeView(caller, search, nowMs);
        const facetQuery = { condition, attributes, limit, guidedMax: threshold };
        const found = await listFacets(facetQuery, needs);
        if (found === 'too-many') {
          const total = await needs.domains.countMatches(condition);
          return { too_many: true, total, threshold, values: [], facets: [] };
        }
        const facets = found.facets.map((values, index) => facetOnWire(attributes[index] ?? '', values));
        return { too_many: false, total: found.total, threshold, values: facets[0]?.values ?? [], facets };
      });
      return { ...answer, limits: await limitsNow(caller, needs, nowMs) };
    },
  });
}
