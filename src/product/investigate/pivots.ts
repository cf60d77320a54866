/** The values that a domain shares with others: how many have each, how risky those are, and which of them. */
import type { SharedValue } from '../../model/record/attributes.ts';
import { valuesOf } from '../../model/record/attributes.ts';
import type { DomainStore } from '../../store/domain-store.ts';

export interface PivotNeeds {
  readonly domains: Pick<
    DomainStore,
    'findRecords' | 'countsOf' | 'averageRisksOf' | 'search' | 'getRecords'
  >;
}

export interface Pivot extends SharedValue {
  /** With the value, this one included. */
  readonly domains: number;
  /** Of all domains with the value; undefined if none has a score. */
  readonly averageRisk: number | undefined;
  /** Other domains have it too, and few enough to be inspected. */
  readonly guided: boolean;
  /** Some of the others, riskiest first; none unless guided. */
  readonly firstNames: readonly string[];
}

export interface Pivots {
  /** Undefined without a record. */
  readonly pivots: readonly Pivot[] | undefined;
  /** The record has more values than were counted. */
  readonly more: boolean;
}

/** A certificate may have thousands of names. */
const valuesMax = 300;
/** Values whose domains are searched; the others have a count only. */
const searchesMax = 60;
const namesMax = 5;

/** Everyone has a date and a duration; they lead nowhere. */
const leadsNowhere = /(?:^|\.)(?:create_date|expiration_date|not_before|not_after|duration)$/;
/** Said once, under the name that searches use. */
const repeated = /^parsed_/;

/** `threshold`: the most domains that a guided pivot has. */
export async function listPivots(domain: string, threshold: number, needs: PivotNeeds): Promise<Pivots> {
  const [record] = await needs.domains.findRecords([domain]);
  if (!record) return { pivots: undefined, more: false };
  const values = valuesOf(record).filter(
    ({ attribute }) => !leadsNowhere.test(attribute) && !repeated.test(attribute),
  );
  const counted = values.slice(0, valuesMax);
  const counts = await needs.domains.countsOf(counted);
  const risks = await needs.domains.averageRisksOf(counted);
  const pivots = counted.map((value, index): Pivot => {
    const domains = Math.max(1, counts[index] ?? 0);
    const guided = domains > 1 && domains <= threshold;
    return { ...value, domains, averageRisk: risks[index], guided, firstNames: [] };
  });
  const sorted = pivots.sort(byWorth);
  const named = await Promise.all(
    sorted.map(async (pivot, index) =>
      pivot.guided && index < searchesMax ? withNames(pivot, domain, threshold, needs) : pivot,
    ),
  );
  return { pivots: named, more: values.length > counted.length };
}

/** Guided ones first, riskiest first; then those that most domains have. */
function byWorth(one: Pivot, other: Pivot): number {
  if (one.guided !== other.guided) return one.guided ? -1 : 1;
  const byRisk = one.guided ? (other.averageRisk ?? -1) - (one.averageRisk ?? -1) : 0;
  return byRisk || other.domains - one.domains;
}

async function withNames(
  pivot: Pivot,
  domain: string,
  threshold: number,
  { domains }: PivotNeeds,
): Promise<Pivot> {
  const { attribute, value } = pivot;
  const condition = { kind: 'has', attributes: [attribute], value } as const;
  const matches = await domains.search(condition, { by: 'risk_score', descending: true }, threshold);
  if (matches.total === 'too-many') return pivot;
  const records = await domains.getRecords(matches.ids.slice(0, namesMax + 1), []);
  const names = records.map(({ json }) => (JSON.parse(json) as { domain: string }).domain);
  return { ...pivot, firstNames: names.filter((name) => name !== domain).slice(0, namesMax) };
}
