/** What is on a blocklist. A domain is selected by any of the sources, and then only if it is a domain of one of the monitors, where some are given. */
import type { WatchlistId } from '../watchlist.ts';

export interface SelectionRules {
  /** Domains escalated as blocked. */
  readonly blocked: boolean;
  /** New domains with at least this risk score; 0 includes those without a score. */
  readonly newScoreMin?: number | undefined;
  /** Domains with any of these tags of the team, on the watchlist or not. */
  readonly tags: readonly string[];
  /** Empty: of any monitor or none. */
  readonly monitorIds: readonly WatchlistId[];
}

/** Why a name was put on a list. Kept as it was then, so that a version of a list never changes. */
export interface ListingReason {
  readonly source: 'blocked' | 'new' | 'tagged' | 'allowed';
  readonly riskScore?: number | undefined;
  /** Terms of monitors that match it, a few of them. */
  readonly terms?: readonly string[];
  readonly tag?: string;
}

/** Every account has it: the domains escalated as blocked. */
export const blockedSelection = 'blocked';
export const blockedRules: SelectionRules = { blocked: true, tags: [], monitorIds: [] };

/** Also a label of a DNS zone and a part of a link. */
export const selectionNamePattern = '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$';

export interface ListedName {
  readonly name: string;
  /** `passed`: an allowed name below a blocked one, which some formats have to except. */
  readonly kind: 'blocked' | 'passed';
  readonly reason: ListingReason;
  readonly sinceMs: number;
  /** Whether `www.` before the name is allowed. */
  readonly isWwwAllowed: boolean;
}

/** From when to when a name was blocked. Serials are seconds since 1970, or more where changes are faster. */
export interface MembershipPeriod {
  readonly name: string;
  /** The serial of the first version that has it. */
  readonly added: number;
  /** Of the first one that does not; undefined if it is still blocked. */
  readonly removed: number | undefined;
  readonly reason: ListingReason;
}
