/** Filters of feed records. A record without a member never meets a condition on it. */
import { matchAny } from './domain-pattern.ts';

/** A record as parsed from its line. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

export type RecordFilter = (record: ParsedRecord) => boolean;

export type MemberCondition =
  | { readonly member: string; readonly least: number }
  | { readonly member: string; readonly most: number }
  | { readonly member: string; readonly is: string | number };

export interface FilterOptions {
  /** All of them must be met. */
  readonly conditions: readonly MemberCondition[];
  /** Patterns of which one must match; empty for any name. */
  readonly domains: readonly string[];
}

/** Undefined where every record passes: then lines need not be parsed. */
export function findFilter({ conditions, domains }: FilterOptions): RecordFilter | undefined {
  const checks: RecordFilter[] = conditions.map(meets);
  if (domains.length > 0) {
    const matches = matchAny(domains);
    checks.unshift(({ domain }) => typeof domain === 'string' && matches(domain));
  }
  return checks.length === 0 ? undefined : (record) => checks.every((check) => check(record));
}

function meets(condition: MemberCondition): RecordFilter {
  const { member } = condition;
  if ('is' in condition) return (record) => record[member] === condition.is;
  const bounded = (within: (value: number) => boolean): RecordFilter => {
    return ({ [member]: value }) => typeof value === 'number' && within(value);
  };
  return 'least' in condition
    ? bounded((value) => value >= condition.least)
    : bounded((value) => value <= condition.most);
}
