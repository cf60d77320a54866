/** Facets of a search, beyond the contract: the values that its domains share, and which of them are good pivots. */
import { Type } from 'typebox';
import { type FacetNeeds, getFacetAttribute, listFacets } from '../../../product/investigate/facets.ts';
import { conditionOfSearch } from '../../../product/investigate/search-text.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { readSearch, searchContextOf, searchIdentity, searchParameters } from './search-parameters.ts';
import { tooManyMatches } from './search-response.ts';

const FacetValue = Type.Object({
  value: Type.String(),
  domains: Type.Integer({ description: 'domains of the search with this value' }),
  total_domains: Type.Integer({ description: 'all domains with this value' }),
  average_risk_score: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'of all domains with this value',
  }),
  guided_pivot: Type.Boolean({ description: 'other domains have it too, and few enough to review' }),
});

const FacetResponse = Type.Object({
  response: Type.Object({
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
    limit_exceeded: Type.Boolean(),
    has_more_results: Type.Optional(Type.Boolean()),
    message: Type.Optional(Type.String()),
    attribute: Type.Optional(Type.String()),
    total_count: Type.Optional(Type.Integer({ description: 'domains of the search' })),
    values: Type.Optional(Type.Array(FacetValue)),
  }),
});

export interface FacetOperationNeeds extends FacetNeeds {
  readonly linkKey: Buffer;
}

export function facetOperation(needs: FacetOperationNeeds): Operation {
  return defineOperation({
    id: 'getInvestigateFacets',
    family: families.investigate,
    route: 'GET /intel-investigate/facets/',
    product: 'intel-investigate',
    permission: 'read',
    summary: 'The most frequent values of an attribute among the domains of a search',
    description: 'Takes the parameters of a search.',
    parameters: Type.Object({
      attribute: Type.String({ description: 'a field of the record, such as registrar or ip.address' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
    rawParameters: searchParameters,
    rawIdentity: searchIdentity(needs.linkKey),
    response: FacetResponse,
    parse: ({ parameters, ...context }) => ({
      attributes: [getFacetAttribute(parameters.attribute)] as const,
      condition: conditionOfSearch(
        readSearch(context.raw, needs.linkKey),
        searchContextOf(context, needs.settings),
      ),
      limit: parameters.limit ?? 20,
    }),
    handle: async (_, query) => {
      const found = await listFacets(query, needs);
      if (found === 'too-many')
        return { response: tooManyMatches(needs.settings.limits.investigate.matchesMax).head };
      const values = (found.facets[0] ?? []).map(
        ({ value, domains, domainsInAll, averageRisk, guidedPivot }) => ({
          value,
          domains,
          total_domains: domainsInAll,
          average_risk_score: averageRisk === undefined ? null : Math.round(averageRisk * 10) / 10,
          guided_pivot: guidedPivot,
        }),
      );
      const [attribute] = query.attributes;
      return { response: { limit_exceeded: false, attribute, total_count: found.total, values } };
    },
  });
}
