/** Facets of a search, beyond the contract: what its domains have in common, and where it is worth going on. */
import { Type } from 'typebox';
import { type FacetNeeds, getFacetAttribute, listFacets } from '../../product/investigate/facets.ts';
import { conditionOfSearch } from '../../product/investigate/search-text.ts';
import { tooManyAnswer } from './investigate-answer.ts';
import { askingOf, readSearch, searchParameters } from './investigate-parameters.ts';
import type { Offer } from './offer.ts';

const FacetValue = Type.Object({
  value: Type.String(),
  domains: Type.Integer({ description: 'of the search, with this value' }),
  total_domains: Type.Integer({ description: 'with this value in all' }),
  average_risk_score: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'of all domains with this value',
  }),
  guided_pivot: Type.Boolean({ description: 'others have it too, and few enough to look at' }),
});

const FacetAnswer = Type.Object({
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

export interface FacetRouteNeeds extends FacetNeeds {
  readonly linkKey: Buffer;
}

export function facetRoutes(offer: Offer, needs: FacetRouteNeeds): void {
  offer('getInvestigateFacets', {
    parameters: Type.Object({
      attribute: Type.String({ description: 'a value of a record, as registrar or ip.address' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
    alsoRead: searchParameters,
    answer: FacetAnswer,
    understand: ({ parameters, ...asked }) => ({
      attribute: getFacetAttribute(parameters.attribute),
      condition: conditionOfSearch(readSearch(asked.sent, needs.linkKey), askingOf(asked, needs.settings)),
      limit: parameters.limit ?? 20,
    }),
    run: async (_, question) => {
      const found = await listFacets(question, needs);
      if (found === 'too-many') {
        const { missing_domains: _none, ...rest } = tooManyAnswer(
          needs.settings.limits.investigate.matchesMax,
        ).response;
        return { response: rest };
      }
      const values = found.facets.map(({ value, domains, domainsInAll, averageRisk, guidedPivot }) => ({
        value,
        domains,
        total_domains: domainsInAll,
        average_risk_score: averageRisk === undefined ? null : Math.round(averageRisk * 10) / 10,
        guided_pivot: guidedPivot,
      }));
      const { attribute } = question;
      return { response: { limit_exceeded: false, attribute, total_count: found.total, values } };
    },
  });
}
