/** One condition of a search, as its chip shows it. A search that joins conditions by OR has no chips; it is edited as text. */

export type Comparison = '=' | 'contains' | '>' | '>=' | '<' | '<=' | 'within';

export interface Condition {
  /** A search parameter, or a column of the query language. */
  readonly field: string;
  readonly not: boolean;
  readonly comparison: Comparison;
  readonly value: string;
}

/** Columns that exist in the query language alone. */
const columnsOnly: ReadonlySet<string> = new Set([
  'popularity_rank',
  'website_response',
  'first_seen',
  'data_updated',
  'data_updated_timestamp',
]);

/** Parameters that refine a search and cannot be its only ones. */
export const filterNames: ReadonlySet<string> = new Set([
  'not_tagged_with_all',
  'not_tagged_with_any',
  'active',
  'create_date',
  'create_date_within',
  'expiration_date',
  'first_seen_since',
  'first_seen_within',
  'data_updated_after',
  'ip_country_code',
  'rank',
  'risk_score',
  'ssl_not_after',
  'ssl_not_before',
  'tld',
]);

/** Parameters whose values are alternatives, or a list that means one thing. */
export const listNames: ReadonlySet<string> = new Set([
  'domain',
  'tagged_with_all',
  'tagged_with_any',
  'not_tagged_with_all',
  'not_tagged_with_any',
]);

const comparisons: Readonly<Record<string, Comparison>> = {
  risk_score: '>',
  rank: '<=',
  first_seen_since: '>',
  registrant: 'contains',
  registrant_org: 'contains',
  whois: 'contains',
  historical_free_text: 'contains',
};

/** How a parameter compares when nothing else is said. */
export const usualComparison = (field: string): Comparison => comparisons[field] ?? '=';

export const isParameter = (field: string): boolean => !columnsOnly.has(field);
export const isFilter = (field: string): boolean => filterNames.has(field) || columnsOnly.has(field);

export const valueIs = (field: string, value: string, not = false): Condition => ({
  field,
  not,
  comparison: '=',
  value,
});

export const isSame = (one: Condition, other: Condition): boolean =>
  one.field === other.field &&
  one.not === other.not &&
  one.comparison === other.comparison &&
  one.value === other.value;
