/** The search for lookalikes among names, for many monitors of many accounts at once. */
import type { Term } from '../lookalike/match.ts';
import type { MonitorMatch, WatchlistId } from './watchlist.ts';

/** What one monitor wants to hear of. */
export interface Wanted {
  readonly accountId: string;
  readonly monitorId: WatchlistId;
  /** The place of its term in the list of terms. */
  readonly term: number;
  readonly textExclusions: readonly string[];
}

export interface SearchPlan {
  /** Each once, however many monitors have it. */
  readonly terms: readonly Term[];
  readonly wanted: readonly Wanted[];
  /** By account: domains that are never reported, nor names below them. */
  readonly ownDomains: ReadonlyMap<string, readonly string[]>;
}

/** A domain with all monitors of one account that found it, each with its reason. */
export interface FoundDomain {
  readonly accountId: string;
  /** The registrable domain in punycode; the name that matched may lie below it. */
  readonly domain: string;
  readonly tld: string;
  readonly matches: readonly MonitorMatch[];
}

/** Searches somewhere else than where requests are answered. */
export interface NameSearch {
  /** Prepares for a plan. */
  open(plan: SearchPlan): Promise<OpenSearch>;
}

export interface OpenSearch {
  /**
   * Names in punycode, one in a line. What is found comes in parts that are taken in a few milliseconds; a domain may be in
   * several of them.
   */
  find(lines: Uint8Array): AsyncIterable<readonly FoundDomain[]>;
  close(): void;
}
