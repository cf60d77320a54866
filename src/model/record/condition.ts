/**
 * What a search for domains asks, as a tree. Parameters of Investigate and the query language both become one; a store answers
 * it. Texts are folded (`fold.ts`) on both sides, so letter case never matters.
 */

/** Where a value stands in a record: `registrar`, `ip.address`, `registrant_contact.email`, `parsed_whois.registrar`. */
export type Attribute = string;

/** Numbers of a record that are compared and sorted by. Dates are days since 1970, times are milliseconds. */
export type Column =
  | 'first_seen'
  | 'create_date'
  | 'expiration_date'
  | 'data_updated'
  | 'popularity_rank'
  | 'risk_score'
  | 'website_response';

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

export type Condition =
  /** One of these attributes has exactly this value. */
  | { readonly kind: 'has'; readonly attributes: readonly Attribute[]; readonly value: string }
  /** One of these attributes has a value that contains the text. Only for attributes that `containsAttributes` lists. */
  | { readonly kind: 'contains'; readonly attributes: readonly Attribute[]; readonly text: string }
  /** The words of the text follow one another in the latest WHOIS record, or in any that was ever stored. */
  | { readonly kind: 'whois'; readonly over: 'latest' | 'history'; readonly text: string }
  /** A WHOIS record that was ever stored has this address, or this registrant. */
  | { readonly kind: 'historical'; readonly of: 'email' | 'registrant'; readonly value: string }
  /** Punycode, lower case. */
  | { readonly kind: 'domain'; readonly names: readonly string[] }
  /** A record without a number never compares. */
  | {
      readonly kind: 'compare';
      readonly column: Column;
      readonly comparison: Comparison;
      readonly value: number;
    }
  | { readonly kind: 'active'; readonly value: boolean }
  /** May have several labels. */
  | { readonly kind: 'tld'; readonly tld: string }
  /** Tags that anybody in the account has given. */
  | {
      readonly kind: 'tagged';
      readonly with: 'all' | 'any';
      readonly labels: readonly string[];
      readonly accountId: string;
    }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition };

/** Attributes that are searched by part of their text. */
export const containsAttributes: readonly Attribute[] = ['registrant_name', 'registrant_org', 'domain'];
