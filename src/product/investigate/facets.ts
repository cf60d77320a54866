/** Facets of a search: the most frequent values of attributes among its domains, and which of them are good pivots. */
import { fieldProblem } from '../../model/problem.ts';
import { attributes } from '../../model/record/attributes.ts';
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainId, DomainStore, TopValue } from '../../store/domain-store.ts';

export interface FacetNeeds {
  readonly domains: Pick<DomainStore, 'averageRisksOf' | 'countsOf' | 'listTopValues' | 'search'>;
  readonly settings: Pick<Settings, 'limits'>;
}

export interface FacetQuery {
  readonly condition: Condition;
  readonly attributes: readonly Attribute[];
  /** Values of each. */
  readonly limit: number;
  /** The most domains that a guided pivot has; the setting of the server by default. */
  readonly guidedMax?: number;
}

export interface Facet {
  readonly value: string;
  /** Domains of the search with the value. */
  readonly domains: number;
  /** All domains with the value. */
  readonly domainsInAll: number;
  /** Of all domains with the value. */
  readonly averageRisk: number | undefined;
  /** Other domains have the value too, and few enough to be inspected. */
  readonly guidedPivot: boolean;
}

/** `field`: the parameter that named it. */
export function getFacetAttribute(name: string, field = 'attribute'): Attribute {
  if (attributes.includes(name)) return name;
  throw fieldProblem(
    'invalid-parameters',
    field,
    'must be an attribute of a record, such as registrar or ip.address',
  );
}

/** One list per attribute. */
export async function listFacets(
  query: FacetQuery,
  needs: FacetNeeds,
): Promise<{ readonly total: number; readonly facets: readonly (readonly Facet[])[] } | 'too-many'> {
  const { matchesMax } = needs.settings.limits.investigate;
  const matches = await needs.domains.search(
    query.condition,
    { by: 'domain', descending: false },
    matchesMax,
  );
  if (matches.total === 'too-many') return 'too-many';
  return { total: matches.total, facets: await facetsOf(matches.ids, query, needs) };
}

/** Of these domains. */
export async function facetsOf(
  ids: readonly DomainId[],
  { attributes: by, limit, guidedMax }: Omit<FacetQuery, 'condition'>,
  needs: FacetNeeds,
): Promise<readonly (readonly Facet[])[]> {
  const top = await needs.domains.listTopValues(ids, by, limit);
  const max = guidedMax ?? needs.settings.limits.investigate.guidedPivotDomainsMax;
  return judgeValues(
    top.map((values, index) => ({ attribute: by[index] as Attribute, values })),
    max,
    needs,
  );
}

/** Adds to values what is known of all domains that have them. */
export async function judgeValues(
  facets: readonly { readonly attribute: Attribute; readonly values: readonly TopValue[] }[],
  guidedMax: number,
  { domains }: Pick<FacetNeeds, 'domains'>,
): Promise<readonly (readonly Facet[])[]> {
  const shared = facets.flatMap(({ attribute, values }) => values.map(({ value }) => ({ attribute, value })));
  const counts = await domains.countsOf(shared);
  const risks = await domains.averageRisksOf(shared);
  let at = 0;
  return facets.map(({ values }) =>
    values.map(({ value, domains: found }) => {
      const domainsInAll = counts[at] ?? found;
      const averageRisk = risks[at];
      at += 1;
      const guidedPivot = domainsInAll > 1 && domainsInAll <= guidedMax;
      return { value, domains: found, domainsInAll, averageRisk, guidedPivot };
    }),
  );
}
