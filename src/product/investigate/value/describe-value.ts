/** Everything that records know about one value: the domains that share it, how risky they are, and what else they share. */
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainStore, Matches, StoredRecord } from '../../../store/domain-store.ts';
import { type Facet, type FacetNeeds, facetsOf } from '../facets.ts';
import type { SearchContext } from '../search-parameter.ts';
import { type Fact, factsOf } from './value-facts.ts';
import { rolesOf, type ValueKind, type ValueRoleRule } from './value-kinds.ts';

export interface ValueNeeds extends FacetNeeds {
  readonly domains: FacetNeeds['domains'] &
    Pick<DomainStore, 'averageRiskOf' | 'averageRisksOf' | 'countMatches' | 'getRecords' | 'sampleMatches'>;
}

/** One way in which domains have the value. */
export interface ValueRole extends ValueRoleRule {
  readonly domains: number;
  readonly averageRisk: number | undefined;
  readonly guided: boolean;
}

export interface DescribedValue {
  /** Those that occur, most domains first. */
  readonly roles: readonly ValueRole[];
  /** The role that the rest is about: the one with most domains. */
  readonly main: ValueRole;
  /** More domains than a search returns: then there are neither rows nor facets. */
  readonly tooMany: boolean;
  /** The riskiest domains. */
  readonly records: readonly StoredRecord[];
  readonly facets: readonly { readonly attribute: Attribute; readonly values: readonly Facet[] }[];
  readonly facts: readonly Fact[];
}

const recordsMax = 25;
const facetValuesMax = 8;

const facetsOfKind: Readonly<Record<ValueKind, readonly Attribute[]>> = {
  ip: ['registrar', 'name_server.domain', 'ssl_info.hash', 'soa_email', 'registrant_org'],
  name_server: ['registrar', 'ip.address', 'ip.country_code', 'ssl_info.hash', 'soa_email'],
  email: ['registrar', 'name_server.domain', 'ip.address', 'registrant_org', 'ssl_info.hash'],
  certificate: ['registrar', 'name_server.domain', 'ip.address', 'soa_email', 'registrant_org'],
};

/** `value` in its normal form. */
export async function describeValue(
  { kind, value }: { readonly kind: ValueKind; readonly value: string },
  guidedMax: number,
  context: SearchContext,
  needs: ValueNeeds,
): Promise<DescribedValue> {
  const { domains, settings } = needs;
  const { matchesMax } = settings.limits.investigate;
  const judged: { role: ValueRole; matches: Matches }[] = [];
  for (const rule of rolesOf(kind, value, context)) {
    const matches = await domains.search(rule.condition, { by: 'risk_score', descending: true }, matchesMax);
    const { total, averageRisk } = await numbersOf(rule, matches, needs);
    const guided = total > 1 && total <= guidedMax;
    judged.push({ role: { ...rule, domains: total, averageRisk, guided }, matches });
  }
  judged.sort((one, other) => other.role.domains - one.role.domains);
  const { role: main, matches } = judged[0] as (typeof judged)[number];
  const roles = judged.map(({ role }) => role).filter((role) => role.domains > 0);
  if (matches.total === 'too-many') {
    const some = await domains.getRecords(await domains.sampleMatches(main.condition, recordsMax), []);
    return { roles, main, tooMany: true, records: [], facets: [], facts: factsOf(kind, value, parsed(some)) };
  }
  const by = facetsOfKind[kind];
  const facets = await facetsOf(matches.ids, { attributes: by, limit: facetValuesMax, guidedMax }, needs);
  const records = await domains.getRecords(matches.ids.slice(0, recordsMax), ['root']);
  return {
    roles,
    main,
    tooMany: false,
    records,
    facets: facets.map((values, index) => ({ attribute: by[index] as Attribute, values })),
    facts: factsOf(kind, value, parsed(records)),
  };
}

function parsed(records: readonly StoredRecord[]): readonly DomainRecord[] {
  return records.map(({ json }) => JSON.parse(json) as DomainRecord);
}

async function numbersOf(
  { condition }: ValueRoleRule,
  matches: Matches,
  { domains }: ValueNeeds,
): Promise<{ readonly total: number; readonly averageRisk: number | undefined }> {
  if (matches.total !== 'too-many')
    return { total: matches.total, averageRisk: await domains.averageRiskOf(matches.ids) };
  const total = await domains.countMatches(condition);
  // The average of so many domains is known by value, so a value of several attributes has none.
  if (condition.kind !== 'has' || condition.attributes.length !== 1) return { total, averageRisk: undefined };
  const shared = { attribute: condition.attributes[0] as Attribute, value: condition.value };
  const [averageRisk] = await domains.averageRisksOf([shared]);
  return { total, averageRisk };
}
