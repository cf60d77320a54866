/**
 * The condition of a domain search, as a tree. Parameters of Investigate and the query language both become one, and the domain store
 * evaluates it. Texts are folded (`fold.ts`) on both sides, so searches are case-insensitive.
 */

/** The path of a value in a record: `registrar`, `ip.address`, `registrant_contact.email`, `parsed_whois.registrar`. */
export type Attribute = string;

/** Numbers of a record for comparisons and sorting. Dates are days since 1970, times are milliseconds. */
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
  /** The latest WHOIS record, or any that was ever stored, contains the words of the text as a phrase. */
  | { readonly kind: 'whois'; readonly over: 'latest' | 'history'; readonly text: string }
  /** Any WHOIS record that was ever stored has this email address or this registrant. */
  | { readonly kind: 'historical'; readonly of: 'email' | 'registrant'; readonly value: string }
  /** Punycode, lower case. */
  | { readonly kind: 'domain'; readonly names: readonly string[] }
  /** Never true for a record without the number. */
  | {
      readonly kind: 'compare';
      readonly column: Column;
      readonly comparison: Comparison;
      readonly value: number;
    }
  | { readonly kind: 'active'; readonly value: boolean }
  /** `tld` may have several labels. */
  | { readonly kind: 'tld'; readonly tld: string }
  /** By tags that the user may see: those of the team and the user's own. */
  | {
      readonly kind: 'tagged';
      readonly with: 'all' | 'any';
      readonly labels: readonly string[];
      readonly accountId: string;
      readonly userId: string;
      /** Tags that have expired by then are no tags. */
      readonly nowMs: number;
    }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition };

/** Attributes that support substring search. */
export const containsAttributes: readonly Attribute[] = ['registrant_name', 'registrant_org', 'domain'];

/** Whether the same condition has other matches for another user of the account. */
export function dependsOnUser(condition: Condition): boolean {
  switch (condition.kind) {
    case 'tagged':
      return true;
    case 'and':
    case 'or':
      return condition.of.some(dependsOnUser);
    case 'not':
      return dependsOnUser(condition.of);
    default:
      return false;
  }
}
