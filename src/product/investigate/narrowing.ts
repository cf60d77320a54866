/**
 * How to narrow a search that matches too many domains. Facets are counted in a sample of the matches. A facet cuts well if most of the
 * matches have one of the values that are offered, and each of these leaves few enough to be listed: then one choice leads on, whichever it is.
 * Where no value leaves so few, the facet is best whose values leave the fewest on average.
 */
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { DomainStore, TopValue } from '../../store/domain-store.ts';
import { type Facet, type FacetNeeds, judgeValues } from './facets.ts';

export interface NarrowingNeeds extends FacetNeeds {
  readonly domains: FacetNeeds['domains'] & Pick<DomainStore, 'countMatches' | 'sampleMatches'>;
}

export interface Narrowing {
  readonly total: number;
  /** The numbers of domains are estimates. */
  readonly facets: readonly { readonly attribute: Attribute; readonly values: readonly Facet[] }[];
}

/** What people narrow by; each has a search parameter. */
const candidates: readonly Attribute[] = [
  'registrar',
  'ip.country_code',
  'ip.isp',
  'name_server.domain',
  'mx.domain',
  'server_type',
  'ssl_info.issuer_common_name',
  'registrant_org',
  'create_date',
  'redirect_domain',
];

const sampleSize = 2000;
const facetsMax = 3;
const valuesMax = 10;

export async function narrow(
  condition: Condition,
  guidedMax: number,
  needs: NarrowingNeeds,
): Promise<Narrowing> {
  const { domains, settings } = needs;
  const total = await domains.countMatches(condition);
  const sample = await domains.sampleMatches(condition, sampleSize);
  const top = await domains.listTopValues(sample, candidates, valuesMax);
  const scale = total / Math.max(1, sample.length);
  const cuts = top.map((values, index) => ({
    attribute: candidates[index] as Attribute,
    values: values.map((value) => ({ ...value, domains: Math.round(value.domains * scale) })),
  }));
  const best = bestCuts(cuts, total, settings.limits.investigate.matchesMax).slice(0, facetsMax);
  const judged = await judgeValues(best, guidedMax, needs);
  const facets = best.map(({ attribute }, index) => ({ attribute, values: judged[index] ?? [] }));
  return { total, facets };
}

interface Cut {
  readonly attribute: Attribute;
  readonly values: readonly TopValue[];
}

/** Best first. A facet that leaves everything together is none. */
export function bestCuts(facets: readonly Cut[], total: number, matchesMax: number): readonly Cut[] {
  const judged = facets
    .filter(({ values }) => values.some(({ domains }) => domains > 1 && domains < total))
    .map((facet) => ({ facet, ...worthOf(facet, total, matchesMax) }));
  return judged
    .sort((one, other) => other.listed - one.listed || one.remaining - other.remaining)
    .map(({ facet }) => facet);
}

function worthOf({ values }: Cut, total: number, matchesMax: number) {
  const shares = values.map(({ domains }) => domains / total);
  const listed = values.reduce((sum, { domains }) => sum + (domains <= matchesMax ? domains : 0), 0);
  const covered = shares.reduce((sum, share) => sum + share, 0);
  // Of a match that has none of the values, nothing is cut.
  const remaining = shares.reduce((sum, share) => sum + share * share, 0) + Math.max(0, 1 - covered);
  return { listed: Math.min(total, listed), remaining };
}
