/** Facets of a search: the most frequent values of an attribute among its domains, and which of them are good pivots. */
import { fieldProblem } from '../../model/problem.ts';
import { attributes } from '../../model/record/attributes.ts';
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface FacetNeeds {
  readonly domains: Pick<DomainStore, 'countsOf' | 'listTopValues' | 'search'>;
  readonly settings: Settings;
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

export function getFacetAttribute(name: string): Attribute {
  if (attributes.includes(name)) return name;
  throw fieldProblem(
    'invalid-parameters',
    'attribute',
    'must be an attribute of a record, such as registrar or ip.address',
  );
}

export async function listFacets(
  query: { readonly condition: Condition; readonly attribute: Attribute; readonly limit: number },
  { domains, settings }: FacetNeeds,
): Promise<{ readonly total: number; readonly facets: readonly Facet[] } | 'too-many'> {
  const { matchesMax, guidedPivotDomainsMax } = settings.limits.investigate;
  const { attribute, condition, limit } = query;
  const matches = await domains.search(condition, { by: 'domain', descending: false }, matchesMax);
  if (matches.total === 'too-many') return 'too-many';
  const top = await domains.listTopValues(matches.ids, attribute, limit);
  const counts = await domains.countsOf(top.map(({ value }) => ({ attribute, value })));
  const facets = top.map(({ value, domains: found, averageRisk }, index) => {
    const domainsInAll = counts[index] ?? found;
    const guidedPivot = domainsInAll > 1 && domainsInAll <= guidedPivotDomainsMax;
    return { value, domains: found, domainsInAll, averageRisk, guidedPivot };
  });
  return { total: matches.total, facets };
}
