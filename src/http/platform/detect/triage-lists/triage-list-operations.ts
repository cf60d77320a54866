/** The lists of Triage as the web UI has them, beyond the contract: pages with every filter, facets, and the whole list in clusters. For the command line. */
import { Type } from 'typebox';
import { defaultPreferences } from '../../../../model/person/preferences.ts';
import { Problem } from '../../../../model/problem.ts';
import type { ProductId } from '../../../../model/product-catalogue.ts';
import type { Settings } from '../../../../model/settings/settings.ts';
import { facetAttributes } from '../../../../model/triage/triage-facets.ts';
import { type TriageList, triageLists } from '../../../../model/triage/triage-lists.ts';
import type { ClusterNeeds } from '../../../../product/detect/lists/cluster.ts';
import { listClusters } from '../../../../product/detect/lists/clusters.ts';
import { countFacets, type FacetNeeds } from '../../../../product/detect/lists/facets.ts';
import {
  readTriagePage,
  type TriagePageNeeds,
  usualSorts,
} from '../../../../product/detect/lists/triage-page.ts';
import { families } from '../../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../../operation/define-operation.ts';
import { generalCharge } from '../charges.ts';
import { choice, DomainIds } from '../detect-parameters.ts';
import { DomainOnWire, domainOnWire } from '../domain-wire.ts';
import { listProducts } from '../list-products.ts';
import { filterParameters, readFilter } from './filter-parameters.ts';

export interface TriageListNeeds extends ClusterNeeds, FacetNeeds, TriagePageNeeds {
  readonly triage: ClusterNeeds['triage'] & FacetNeeds['triage'] & TriagePageNeeds['triage'];
  readonly images: ClusterNeeds['images'] & FacetNeeds['images'];
  readonly settings: Settings;
}

const pageMax = 1000;
const usualPage = 100;

export const SharedOnWire = Type.Object(
  {
    attribute: choice(['name_server', 'certificate', 'picture', 'ip', 'analytics'], 'what is shared'),
    value: Type.String(),
  },
  { title: 'SharedValue' },
);

const TriagePage = Type.Object({
  watchlist_domains: Type.Array(DomainOnWire),
  total_count: Type.Integer({ description: 'all matching domains' }),
  count: Type.Integer({ description: 'domains in this response' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
});

const Facets = Type.Object({
  values: Type.Array(
    Type.Object({
      value: Type.String({ description: 'what the filter takes' }),
      label: Type.Optional(Type.String({ description: 'the term of a monitor' })),
      domains: Type.Integer(),
      average_risk: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    }),
    { description: 'most frequent first, at most 50' },
  ),
  more: Type.Boolean({ description: 'there are more values, or more domains than were counted' }),
});

const Clusters = Type.Object({
  clusters: Type.Array(
    Type.Object({
      shared: SharedOnWire,
      watchlist_domain_ids: Type.Array(Type.String(), { description: 'at most 1,000' }),
    }),
    { description: 'the most specific first, at most 30; no domain is in two of them' },
  ),
});

/** What the lists of Triage have in common. */
const ofList = { family: families.detect, product: findListProduct, permission: 'read' } as const;

export function triageListOperations(needs: TriageListNeeds): readonly Operation[] {
  const { settings } = needs;

  const getDetectTriage = defineOperation({
    ...ofList,
    id: 'getDetectTriage',
    route: 'GET /intel-detect/triage/:list/',
    summary: 'A page of a list of Triage: new, changed, watched, ignored or blocked',
    parameters: Type.Object({
      ...filterParameters,
      watchlist_domain_ids: Type.Optional(DomainIds),
      sort: Type.Optional(
        choice(
          ['risk', 'newest', 'name', 'changed'],
          'by default risk for new, changed for changed, else newest',
        ),
      ),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'next_cursor of the page before' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: pageMax, description: `by default ${usualPage}` }),
      ),
    }),
    response: TriagePage,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters, nowMs, request: asked }) => {
      const filter = await readFilter(listOf(asked), parameters, needs);
      const { sort = usualSorts[filter.list], cursor } = parameters;
      const request = { filter, sort, limit: parameters.limit ?? usualPage, cursor };
      const page = await readTriagePage(caller, request, needs, nowMs);
      const view = { data: undefined, screenshot: undefined };
      return {
        watchlist_domains: page.domains.map((domain) => domainOnWire(domain, view)),
        total_count: page.total,
        count: page.domains.length,
        next_cursor: page.cursor ?? null,
      };
    },
  });

  const getDetectTriageFacets = defineOperation({
    ...ofList,
    id: 'getDetectTriageFacets',
    route: 'GET /intel-detect/triage/:list/facets/',
    summary: 'The most frequent values of an attribute in a list of Triage',
    parameters: Type.Object({
      attribute: choice(facetAttributes, 'whose values are counted'),
      ...filterParameters,
    }),
    response: Facets,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller: { account }, parameters, request }) => {
      const filter = await readFilter(listOf(request), parameters, needs);
      const { values, more } = await countFacets(account, filter, parameters.attribute, needs);
      return {
        values: values.map(({ value, label, domains, averageRisk }) => ({
          value,
          ...(label === undefined ? {} : { label }),
          domains,
          average_risk: averageRisk ?? null,
        })),
        more,
      };
    },
  });

  const getDetectTriageClusters = defineOperation({
    ...ofList,
    id: 'getDetectTriageClusters',
    route: 'GET /intel-detect/triage/:list/clusters/',
    summary: 'A list of Triage in groups of domains that share something specific',
    parameters: Type.Object(filterParameters),
    response: Clusters,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller: { account }, parameters, request }) => {
      const filter = await readFilter(listOf(request), parameters, needs);
      const sharedMax = defaultPreferences.guidedPivotThreshold;
      const clusters = await listClusters({ account, filter, sharedMax }, needs);
      return {
        clusters: clusters.flatMap(({ shared, ids }) =>
          shared
            ? [{ shared: { attribute: shared.by, value: shared.value }, watchlist_domain_ids: [...ids] }]
            : [],
        ),
      };
    },
  });

  return [getDetectTriage, getDetectTriageFacets, getDetectTriageClusters];
}

/** What is changed or blocked is watched. */
export function productOfList(list: TriageList): ProductId {
  return listProducts[list === 'new' || list === 'ignored' ? list : 'watched'];
}

function findListProduct({ list = '' }: Readonly<Record<string, string>>): ProductId | undefined {
  const found = triageLists.find((each) => each === list);
  return found && productOfList(found);
}

function listOf({ params }: Pick<OperationContext<unknown>['request'], 'params'>): TriageList {
  const { list = '' } = params as { list?: string };
  const found = triageLists.find((each) => each === list);
  if (!found) throw new Problem('not-found', 'There is no such list.');
  return found;
}
