/** The graph of some searches of an investigation. An answer is kept for a minute, so that trying views does not use up the limits. */
import { domainToUnicode } from 'node:url';
import { fieldProblem } from '../../../model/problem.ts';
import { type GraphNeeds, type SharedGraph, sharedGraph } from '../../../product/investigations/graph.ts';
import { getInvestigation, type InvestigationNeeds } from '../../../product/investigations/investigations.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { type ChargedSearches, searchProduct } from '../search/charged-searches.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { InvestigationParams } from './investigation-operations.ts';
import { GraphBody, GraphView } from './investigation-wire.ts';
import { type QueryNeeds, readQuery } from './query-search.ts';

export interface GraphOperationNeeds extends InvestigationNeeds, GraphNeeds, QueryNeeds {
  readonly charged: ChargedSearches;
}

const answersMax = 20;

export function graphOperation(needs: GraphOperationNeeds): WebOperation {
  const kept = new KeptAnswers<GraphView>(answersMax);

  return defineWebOperation({
    method: 'POST',
    path: '/investigations/:id/graph',
    access: 'read',
    product: searchProduct,
    summary: 'The domains of some searches and the values that they share',
    params: InvestigationParams,
    body: GraphBody,
    answer: GraphView,
    handle: async (input) => {
      const { caller, params, body, nowMs } = input;
      const { nodes } = await getInvestigation(caller, params.id, needs);
      const chosen = nodes.filter(({ id }) => body.ids.includes(id));
      if (chosen.length === 0)
        throw fieldProblem('invalid-parameters', 'ids', 'must be searches of the investigation');
      const read = chosen.map(({ id, query }) => ({ id, search: readQuery(query, input, needs) }));
      const searches = read.map(({ id, search }) => ({ id, condition: search.condition }));
      const threshold = caller.person.preferences.guidedPivotThreshold;
      const key = JSON.stringify([caller.person.id, params.id, threshold, chosen.map(({ id }) => id)]);
      return kept.get(key, nowMs, async () => {
        for (const { search } of read) await needs.charged.chargeView(caller, search, nowMs);
        return graphOnWire(await sharedGraph({ searches, threshold }, needs));
      });
    },
  });
}

function graphOnWire(graph: SharedGraph): GraphView {
  return {
    domains: graph.domains.map(({ domain, riskScore, registrar, firstSeen, searchIds }) => ({
      domain: domainToUnicode(domain) || domain,
      punycode: domain,
      risk_score: riskScore ?? null,
      registrar: registrar ?? null,
      first_seen: firstSeen ?? null,
      ids: [...searchIds],
    })),
    values: graph.values.map(({ kind, value, domainsInAll, service }) => ({
      kind,
      value,
      domains_in_all: domainsInAll,
      service: service ?? null,
    })),
    edges: graph.edges.map(([domain, value]) => [domain, value]),
    domains_left_out: graph.domainsLeftOut,
    values_left_out: graph.valuesLeftOut,
    too_many: [...graph.tooMany],
  };
}
