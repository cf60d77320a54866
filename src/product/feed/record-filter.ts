/** Which records a client wants. What is asked of a member is not met by a record that does not know it. */
import { matchAny } from './domain-pattern.ts';

/** A record as it was read from its line. */
export type ReadRecord = Readonly<Record<string, unknown>>;

export type Keeps = (record: ReadRecord) => boolean;

export type Demand =
  | { readonly member: string; readonly least: number }
  | { readonly member: string; readonly most: number }
  | { readonly member: string; readonly is: string | number };

export interface Wishes {
  /** All of them must be met. */
  readonly demands: readonly Demand[];
  /** One of them must match; empty: any name will do. */
  readonly domains: readonly string[];
}

/** Undefined where every record is wanted: then lines need not be read at all. */
export function findFilter({ demands, domains }: Wishes): Keeps | undefined {
  const checks: Keeps[] = demands.map(meets);
  if (domains.length > 0) {
    const matches = matchAny(domains);
    checks.unshift(({ domain }) => typeof domain === 'string' && matches(domain));
  }
  return checks.length === 0 ? undefined : (record) => checks.every((check) => check(record));
}

function meets(demand: Demand): Keeps {
  const { member } = demand;
  if ('is' in demand) return (record) => record[member] === demand.is;
  const bounded = (within: (value: number) => boolean): Keeps => {
    return ({ [member]: value }) => typeof value === 'number' && within(value);
  };
  return 'least' in demand
    ? bounded((value) => value >= demand.least)
    : bounded((value) => value <= demand.most);
}
