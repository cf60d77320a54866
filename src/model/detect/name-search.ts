/** The search for lookalikes among names, for all monitors of all accounts in one pass. */
import type { Term } from '../lookalike/match.ts';
import type { MonitorMatch, WatchlistId } from './watchlist.ts';

/** What one monitor searches for. */
export interface SearchTarget {
  readonly accountId: string;
  readonly monitorId: WatchlistId;
  /** The index of its term in the list of terms. */
  readonly term: number;
  readonly textExclusions: readonly string[];
}

export interface SearchPlan {
  /** Without duplicates, however many monitors share one. */
  readonly terms: readonly Term[];
  readonly targets: readonly SearchTarget[];
  /** By account: domains that are never reported, nor names below them. */
  readonly ownDomains: ReadonlyMap<string, readonly string[]>;
}

/** A domain with the monitors of one account that matched it, each with its reason. */
export interface FoundDomain {
  readonly accountId: string;
  /** The registrable domain in punycode; the matched name may be below it. */
  readonly domain: string;
  readonly tld: string;
  readonly matches: readonly MonitorMatch[];
}

/** Searches off the main thread. */
export interface NameSearch {
  /** Builds the matcher for a plan. */
  open(plan: SearchPlan): Promise<OpenSearch>;
}

export interface OpenSearch {
  /**
   * Names in punycode, one per line. Found domains come in small chunks; a domain may be in several of them.
   */
  find(lines: Uint8Array): AsyncIterable<readonly FoundDomain[]>;
  close(): void;
}
